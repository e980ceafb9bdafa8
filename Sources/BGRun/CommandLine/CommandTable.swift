/// Every command, in the order in which help lists them.
package enum CommandTable {
  package static let commands: [Command] = [
    HistoryCommand.command,
  ]
}
