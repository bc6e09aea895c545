/*
 * A unit file cannot forbid execve, because systemd itself needs it to start the program, and it cannot tell threads from
 * processes.  So the program installs a filter of its own (seccomp).
 */
#include "cli/confine.h"

#include <stddef.h>

#if (defined(__x86_64__) || defined(__aarch64__)) && !defined(__SANITIZE_ADDRESS__)

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include "base/attr.h"

#ifdef __x86_64__
#define OUR_ARCH AUDIT_ARCH_X86_64
#else
#define OUR_ARCH AUDIT_ARCH_AARCH64
#endif

/* Steps of the filter.  A call is answered by the first of them that fits. */
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ANSWER(value) BPF_STMT(BPF_RET | BPF_K, (value))
#define REFUSE(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), ANSWER(SECCOMP_RET_ERRNO | EPERM)

bool
confine_to_threads(void)
{
    struct sock_filter steps[] = {
        /* Calls of another kind of processor have other numbers. */
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, OUR_ARCH, 1, 0),
        ANSWER(SECCOMP_RET_ERRNO | EPERM),
        LOAD(nr),
#ifdef __x86_64__
        /* The same calls once more, for 32-bit pointers. */
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        ANSWER(SECCOMP_RET_ERRNO | EPERM),
        REFUSE(SYS_fork),
        REFUSE(SYS_vfork),
#endif
        REFUSE(SYS_execve),
        REFUSE(SYS_execveat),
        /* Its flags are behind a pointer.  The C library falls back to clone. */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 435 /* clone3 */, 0, 1),
        ANSWER(SECCOMP_RET_ERRNO | ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 1, 0),
        ANSWER(SECCOMP_RET_ALLOW),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        ANSWER(SECCOMP_RET_ERRNO | EPERM),
        ANSWER(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog filter = {.len = LENGTH(steps), .filter = steps};

    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

#else

/* A sanitizer looks for leaks with a process of its own. */
bool
confine_to_threads(void)
{
    return false;
}

#endif
