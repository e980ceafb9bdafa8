/// Every command, in the order in which help lists them.
package enum CommandTable {
  /// The commands of the stock `bgrun`.
  package static let commands: [Command] = [
    ValidateCommand.command,
    RunCommand.command,
    StartCommand.command,
    SubmitCommand.command,
    StatusCommand.command,
    WhyCommand.command,
    HistoryCommand.command,
    LogsCommand.command,
    AttachCommand.command,
    CancelCommand.command,
    SwitchCommands.enable,
    SwitchCommands.disable,
    ShowCommand.command,
    NotifyCommand.command,
    ConditionCommand.command,
    DoctorCommand.command,
    ExplainCommand.command,
    SchemaCommand.command,
    InitCommand.command,
    CompletionsCommand.command,
  ]
}
