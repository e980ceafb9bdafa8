/* What the Swift side needs from the kernel and can't say itself: headers that Swift's Glibc
   module leaves out, calls without a libc wrapper, and the keeper of runs (keeper.h). */
#ifndef CLINUX_H
#define CLINUX_H

#include <arpa/inet.h>
#include <linux/if.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <malloc.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/timerfd.h>
#include <sys/un.h>

#include "keeper.h"
#include "system.h"
#include "waiting.h"
#include "worker.h"

#endif
