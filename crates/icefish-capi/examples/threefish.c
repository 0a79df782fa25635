/* Threefish-1024: a key and a tweak are expanded once, and then blocks are encrypted, wherever they are in memory.
 * `threefish --time` measures what a call takes. */
#include <icefish.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { BLOCK = 128 };

static void must(icefish_error error)
{
    if (error == ICEFISH_ERROR_NONE)
        return;
    char why[256];
    icefish_last_message(why, sizeof why);
    fprintf(stderr, "threefish: %s\n", why);
    exit(1);
}

static double nanoseconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

/* The least of many runs: everything else in them is the machine's. */
static void measure(const icefish_threefish *key)
{
    enum { CALLS = 2000, RUNS = 2000 };
    unsigned char block[BLOCK] = {0};
    double least_empty = 1e9, least = 1e9;
    for (int run = 0; run < RUNS; run++) {
        double begin = nanoseconds();
        for (int i = 0; i < CALLS; i++)
            must(icefish_threefish_encrypt(key, block, block, 0));
        double middle = nanoseconds();
        for (int i = 0; i < CALLS; i++)
            must(icefish_threefish_encrypt(key, block, block, BLOCK));
        double end = nanoseconds();
        if (middle - begin < least_empty * CALLS)
            least_empty = (middle - begin) / CALLS;
        if (end - middle < least * CALLS)
            least = (end - middle) / CALLS;
    }
    printf("a call without data: %.1f ns; with one block in place: %.1f ns\n", least_empty, least);
}

int main(int count, char **argument)
{
    unsigned char key[BLOCK], tweak[16], memory[4 * BLOCK + 3], before[sizeof memory];
    for (size_t i = 0; i < sizeof key; i++)
        key[i] = (unsigned char)i;
    for (size_t i = 0; i < sizeof tweak; i++)
        tweak[i] = (unsigned char)(0xf0 + i);
    memset(memory, 'x', sizeof memory);
    memcpy(before, memory, sizeof memory);

    icefish_threefish *threefish;
    must(icefish_threefish_new(key, sizeof key, tweak, NULL, &threefish));
    if (count > 1 && strcmp(argument[1], "--time") == 0) {
        measure(threefish);
    } else {
        /* Four blocks in place, at an odd address; they are encrypted side by side. */
        must(icefish_threefish_encrypt(threefish, memory + 3, memory + 3, 4 * BLOCK));
        printf("the first bytes of the first block: %02x %02x %02x %02x\n", memory[3], memory[4], memory[5], memory[6]);
        must(icefish_threefish_decrypt(threefish, memory + 3, memory + 3, 4 * BLOCK));
        puts(memcmp(memory, before, sizeof memory) == 0 ? "decrypted" : "NOT decrypted");
    }
    icefish_threefish_free(threefish);
    return 0;
}
