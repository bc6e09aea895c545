/*
 * Attributes that say more about a function or a variable than its type does.
 */
#ifndef BASE_ATTR_H
#define BASE_ATTR_H

/* The caller must use the result. */
#define NODISCARD __attribute__((warn_unused_result))

/* Arguments are checked like those of printf. */
#define FORMAT(string, first) __attribute__((format(printf, string, first)))

/* The function does not return. */
#define NORETURN __attribute__((noreturn))

/* The variable is released by fn(&variable) when it goes out of scope. */
#define CLEANUP(fn) __attribute__((cleanup(fn)))

/* Number of elements of an array. */
#define LENGTH(array) (sizeof(array) / sizeof((array)[0]))

#endif
