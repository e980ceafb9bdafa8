/* Calls that have no libc wrapper or that Swift can't make. Results are the call's own, failures
   are negative error numbers. */
#ifndef CLINUX_SYSTEM_H
#define CLINUX_SYSTEM_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Gives a thread short scheduling slices, so that it runs promptly on a busy machine when it is woken;
   0 is the calling thread. Needs Linux 6.12, and no privilege for one's own processes. Processes and
   threads that it starts don't inherit them. */
int bgrun_set_short_slices(pid_t thread);

/* Gives the calling thread short slices, and a low niceness where that is permitted: for one that
   mostly waits, and whose lateness makes others late. */
int bgrun_become_punctual(void);

/* Gives every other thread of this process short slices, or the kernel's own again. */
int bgrun_set_other_slices(int are_short);

/* A descriptor for a process that is readable once the process has ended. */
int bgrun_pidfd_open(pid_t process);

/* Whether the kernel believes its clock to be synchronised: 1, 0, or a negative error number. */
int bgrun_clock_is_synchronised(void);

/* A signalfd for the listed signals, which are blocked in the calling thread. */
int bgrun_signal_descriptor(const int32_t *signals, size_t count);

/* A pipe closed on exec; its read end doesn't block. 0 or a negative error number. */
int bgrun_pipe(int32_t *read_end, int32_t *write_end);

/* "SEGV" for SIGSEGV, or null. glibc's own is hidden from Swift behind _GNU_SOURCE. */
const char *bgrun_signal_abbreviation(int signal);

/* Has the disk begin to write a range of a file, and waits until it has written the range before;
   what a file system can't do is left to fsync. Swift sees none of it behind _GNU_SOURCE. */
void bgrun_write_out(int file, int64_t before, int64_t begin, int64_t end);

/* The columns of the terminal, or a negative error number. */
int bgrun_terminal_columns(int terminal);

/* One datagram with the sender's credentials. Descriptors that come along are closed, which is
   what a sender of BARRIER=1 waits for. Returns its length, or a negative error number. */
struct bgrun_datagram_sender {
  pid_t process;
  uid_t user;
};
ssize_t bgrun_receive_datagram(
    int socket, void *buffer, size_t capacity, struct bgrun_datagram_sender *sender);

/* Sends a datagram (a notification) to a socket address, with a descriptor along when it is not
   negative. Returns 0 or a negative error number. */
int bgrun_send_datagram(
    int socket, const void *address, size_t address_length, const void *bytes, size_t count,
    int descriptor);

/* How many processors this thread may use; or minus an error number. */
int bgrun_usable_processors(void);

/* pthread_create for a thread that is to run beside its maker. A new thread may otherwise wait on its
   maker's processor for the next tick of the clock, milliseconds, while another one is idle. It
   begins on another where there is one, and may then run where its maker may. */
int bgrun_create_thread_beside(unsigned long *thread, void *(*body)(void *), void *argument);

#endif
