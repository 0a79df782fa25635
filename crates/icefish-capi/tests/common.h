/* What the tests in C share: checks, and vectors from the files of the library's tests. */
#ifndef COMMON_H
#define COMMON_H

#include "icefish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Atomic int checks;

/* A check that is there in every build. */
#define CHECK(condition) check((condition), #condition, __LINE__)
/* That a call returns an error, or ICEFISH_ERROR_NONE. */
#define IS(error, call) is(ICEFISH_ERROR_##error, (call), #call, __LINE__)

static inline void check(bool holds, const char *text, int line)
{
    checks++;
    if (!holds) {
        fprintf(stderr, "line %d: not so: %s\n", line, text);
        exit(1);
    }
}

static inline void is(icefish_error want, icefish_error got, const char *text, int line)
{
    checks++;
    if (got != want) {
        char why[256];
        icefish_last_message(why, sizeof why);
        fprintf(stderr, "line %d: %s\n    gives \"%s\" (%s), not \"%s\"\n", line, text,
                icefish_error_message((int)got), why, icefish_error_message((int)want));
        exit(1);
    }
}

/* Bytes of a length that is only known from their file, in memory of that length, so that every access outside is found. */
struct bytes {
    unsigned char *at;
    size_t len;
};

static inline struct bytes room(size_t len)
{
    struct bytes made = {malloc(len ? len : 1), len};
    CHECK(made.at != NULL);
    memset(made.at, 0xa5, len ? len : 1);
    return made;
}

static inline void drop(struct bytes *bytes)
{
    free(bytes->at);
    bytes->at = NULL;
}

static inline struct bytes hex(const char *digits)
{
    struct bytes made = room(strlen(digits) / 2);
    for (size_t i = 0; i < made.len; i++) {
        unsigned int byte;
        CHECK(sscanf(digits + 2 * i, "%2x", &byte) == 1);
        made.at[i] = (unsigned char)byte;
    }
    return made;
}

static inline bool same(struct bytes a, struct bytes b)
{
    return a.len == b.len && memcmp(a.at, b.at, a.len) == 0;
}

#define LINE (1 << 16)

static inline FILE *vectors(const char *folder, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r");
    if (!file) {
        perror(path);
        exit(1);
    }
    return file;
}

/* The next line, without its end; false at the end of the file. */
static inline bool next_line(FILE *file, char *line)
{
    if (!fgets(line, LINE, file))
        return false;
    line[strcspn(line, "\r\n")] = 0;
    return true;
}

/* Cuts a line of a CSV file into at most `most` cells; returns their number. */
static inline int cells(char *line, char **cell, int most)
{
    int count = 0;
    while (count < most) {
        bool quoted = *line == '"';
        cell[count++] = line += quoted;
        char *end = quoted ? strchr(line, '"') : line + strcspn(line, ",");
        CHECK(end != NULL);
        char *after = end + quoted;
        bool last = *after == 0;
        *end = 0;
        if (last)
            break;
        line = after + 1;
    }
    return count;
}

/* The value of a line `"name": "value",` or `NAME = value`; null if it is another line. */
static inline char *value_of(char *line, const char *name)
{
    char begin[64];
    snprintf(begin, sizeof begin, "\"%s\": \"", name);
    char *at = strstr(line, begin);
    if (at) {
        at += strlen(begin);
        at[strcspn(at, "\"")] = 0;
        return at;
    }
    snprintf(begin, sizeof begin, "%s = ", name);
    return strncmp(line, begin, strlen(begin)) == 0 ? line + strlen(begin) : NULL;
}

#endif
