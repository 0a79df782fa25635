/* Nothing is allocated on the path of a message, and freed memory holds no key.
 * Linked with --wrap for every function that allocates, so that each call from the library comes here. */
#include "common.h"

#include <malloc.h>

void *__real_malloc(size_t len);
void *__real_calloc(size_t count, size_t len);
void *__real_realloc(void *at, size_t len);
int __real_posix_memalign(void **at, size_t align, size_t len);
void *__real_aligned_alloc(size_t align, size_t len);
void __real_free(void *at);

/* Volatile, because the compiler takes it that malloc changes no variable of ours. */
static volatile int allocations, found;
static char secret[128];

/* Whether eight bytes of the key, at a multiple of eight, are in memory that is given back. */
static void look(const unsigned char *at, size_t len)
{
    for (size_t i = 0; i + 8 <= len; i++)
        for (size_t j = 0; j < sizeof secret; j += 8)
            found += memcmp(at + i, secret + j, 8) == 0;
}

void *__wrap_malloc(size_t len) { return allocations++, __real_malloc(len); }
void *__wrap_calloc(size_t count, size_t len) { return allocations++, __real_calloc(count, len); }
void *__wrap_aligned_alloc(size_t align, size_t len) { return allocations++, __real_aligned_alloc(align, len); }

void *__wrap_realloc(void *at, size_t len)
{
    allocations++;
    return __real_realloc(at, len);
}

int __wrap_posix_memalign(void **at, size_t align, size_t len)
{
    allocations++;
    return __real_posix_memalign(at, align, len);
}

void __wrap_free(void *at)
{
    if (at)
        look(at, malloc_usable_size(at));
    __real_free(at);
}

/* A new key for each handle: what earlier calls have left on the stack may be copied to the heap where a struct has unused bytes, and
 * registers that were spilled are not erased (SECURITY.md). */
static void fresh(void)
{
    static unsigned int state = 1;
    for (size_t i = 0; i < sizeof secret; i++) {
        state = state * 1103515245 + 12345;
        secret[i] = (char)(state >> 16);
    }
}

#define QUIET(call)                            \
    do {                                       \
        int before = allocations;              \
        IS(NONE, call);                        \
        CHECK(allocations == before);          \
    } while (0)

static unsigned char data[4096], tag[64], nonce[16];

static void aead(const char *name, size_t key_len)
{
    icefish_aead *key;
    fresh();
    IS(NONE, icefish_aead_new(name, secret, key_len, 0, NULL, &key));
    size_t nonce_len = icefish_aead_nonce_len(key), tag_len = icefish_aead_tag_len(key);
    QUIET(icefish_aead_seal(key, nonce, nonce_len, "to", 2, data, data, 4000, tag, tag_len));
    QUIET(icefish_aead_open(key, nonce, nonce_len, "to", 2, data, data, 4000, tag, tag_len));
    icefish_aead_message many = {nonce, nonce_len, NULL, 0, data, data, 100, tag, 0};
    QUIET(icefish_aead_seal_many(key, &many, 1));
    QUIET(icefish_aead_open_many(key, &many, 1));
    icefish_sealer *sealer;
    if (icefish_sealer_new(key, nonce, nonce_len, &sealer) == ICEFISH_ERROR_NONE) {
        QUIET(icefish_sealer_associated(sealer, "to", 2));
        QUIET(icefish_sealer_update(sealer, data, data, 1000));
        QUIET(icefish_sealer_finish(sealer, tag, tag_len));
        icefish_sealer_free(sealer);
    }
    icefish_aead_free(key);
}

int main(void)
{
    aead("aes-128-gcm", 16), aead("aes-256-gcm", 32), aead("aes-256-gcm-siv", 32), aead("aes-256-eax", 32);
    aead("xoodyak", 16), aead("aegis-128x2", 16), aead("aegis-256", 32);

    icefish_threefish *threefish;
    fresh();
    IS(NONE, icefish_threefish_new(secret, 128, nonce, NULL, &threefish));
    QUIET(icefish_threefish_encrypt(threefish, data, data, 4096));
    QUIET(icefish_threefish_decrypt(threefish, data, data + 2048, 2048));
    QUIET(icefish_threefish_set_tweak(threefish, nonce));
    icefish_threefish_free(threefish);

    icefish_cipher *cipher;
    icefish_message *message;
    fresh();
    IS(NONE, icefish_cipher_new("aes-256-cbc", secret, 32, NULL, 0, NULL, NULL, &cipher));
    QUIET(icefish_cipher_encrypt(cipher, nonce, 16, data, 4000, data, 4096, NULL));
    IS(NONE, icefish_encryptor_new(cipher, nonce, 16, &message));
    QUIET(icefish_message_update(message, data, 100, data + 200, 200, NULL));
    QUIET(icefish_message_finish(message, data, 100, NULL));
    icefish_message_free(message);
    icefish_cipher_free(cipher);

    icefish_mac *mac;
    fresh();
    IS(NONE, icefish_mac_new("aes-256-cmac", secret, 32, 0, NULL, &mac));
    QUIET(icefish_mac_tag(mac, data, 1000, tag, 16));
    QUIET(icefish_mac_verify(mac, data, 1000, tag, 16));
    icefish_mac_free(mac);

    icefish_hash *hash;
    icefish_hasher *hasher;
    fresh();
    IS(NONE, icefish_hash_new("skein-512", secret, 128, 0, NULL, &hash));
    QUIET(icefish_hash_digest(hash, data, 1000, tag, 64));
    icefish_bytes inputs[2] = {{data, 100}, {data, 200}};
    QUIET(icefish_hash_many(hash, inputs, 2, data + 256, 128));
    IS(NONE, icefish_hasher_new(hash, &hasher));
    QUIET(icefish_hasher_update(hasher, data, 1000));
    QUIET(icefish_hasher_finish(hasher, tag, 64));
    icefish_hasher_free(hasher);
    icefish_hash_free(hash);

    CHECK(found == 0);
    /* The test finds a key that is not erased, and an allocation that is counted. */
    int before = allocations;
    char *volatile copy = malloc(sizeof secret);
    CHECK(copy != NULL && allocations == before + 1);
    memcpy(copy, secret, sizeof secret);
    free(copy);
    CHECK(found > 0);
    printf("memory: %d checks\n", checks);
    return 0;
}
