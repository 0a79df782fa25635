/* What is refused, and how; orders of freeing; threads; files: rules FOLDER, where files may be written. */
#include "common.h"

#include <pthread.h>
#include <unistd.h>

static const char key32[] = "thirty-two bytes of key material";

static icefish_aead *gcm(void)
{
    icefish_aead *key = NULL;
    IS(NONE, icefish_aead_new("aes-256-gcm", key32, 32, 0, NULL, &key));
    CHECK(icefish_aead_nonce_len(key) == 12 && icefish_aead_tag_len(key) == 16);
    return key;
}

static void names(void)
{
    void *nothing;
    icefish_aead **aead = (icefish_aead **)&nothing;
    icefish_hash *hash;
    icefish_cipher *cipher;
    icefish_mac *mac;
    icefish_chunked *chunked;
    icefish_threefish *threefish;
    IS(UNKNOWN_CIPHER, icefish_aead_new("des-gcm", key32, 32, 0, NULL, aead));
    IS(UNKNOWN_MODE, icefish_aead_new("aes-256-xyz", key32, 32, 0, NULL, aead));
    IS(TEXT, icefish_aead_new("aes-\xff", key32, 32, 0, NULL, aead));
    IS(NULL, icefish_aead_new(NULL, key32, 32, 0, NULL, aead));
    IS(NULL, icefish_aead_new("aes-256-gcm", NULL, 32, 0, NULL, aead));
    IS(NULL, icefish_aead_new("aes-256-gcm", key32, 32, 0, NULL, NULL));
    IS(UNKNOWN_BACKEND, icefish_aead_new("aes-256-gcm", key32, 32, 0, "mmx", aead));
    IS(TAG_LENGTH, icefish_aead_new("aes-256-gcm", key32, 32, 3, NULL, aead));
    IS(KEY_LENGTH, icefish_aead_new("aes-256-gcm", key32, 31, 0, NULL, aead));
    char why[80], shorter[10];
    CHECK(icefish_last_message(why, sizeof why) == strlen(why));
    CHECK(strcmp(why, "the key has 31 bytes, this cipher takes 32") == 0);
    CHECK(icefish_last_message(shorter, sizeof shorter) == strlen(why) && strcmp(shorter, "the key h") == 0);
    CHECK(icefish_last_message(NULL, 0) == strlen(why));
    IS(UNKNOWN_HASH, icefish_hash_new("md5", NULL, 0, 0, NULL, &hash));
    IS(DIGEST_BITS, icefish_hash_new("xoodyak", NULL, 0, 9, NULL, &hash));
    IS(KEY_LENGTH, icefish_hash_new("xoodyak", key32, 32, 0, NULL, &hash));
    IS(UNKNOWN_PADDING, icefish_cipher_new("aes-256-cbc", key32, 32, NULL, 0, "pad", NULL, &cipher));
    IS(TWEAK_LENGTH, icefish_cipher_new("aes-256-cbc", key32, 32, key32, 16, NULL, NULL, &cipher));
    IS(UNKNOWN_MODE, icefish_mac_new("aes-256-gcm", key32, 32, 0, NULL, &mac));
    IS(UNKNOWN_CIPHER, icefish_chunked_new("cobblestone-512", key32, 32, NULL, &chunked));
    IS(KEY_LENGTH, icefish_threefish_new(key32, 31, NULL, NULL, &threefish));
    for (int code = -1; code < 100; code++)
        CHECK(strlen(icefish_error_message(code)) > 5);
    CHECK(strcmp(icefish_error_message(ICEFISH_ERROR_FORGED), icefish_error_message(0)) != 0);
    CHECK(icefish_version()[0] >= '0' && strcmp(icefish_backend_name(0), "scalar") == 0);
    size_t backends = 0;
    while (icefish_backend_name(backends)) {
        IS(NONE, icefish_aead_new("aes-256-gcm", key32, 32, 0, icefish_backend_name(backends++), aead));
        icefish_aead_free(*aead);
    }
    CHECK(backends >= 1 && icefish_backend_name(SIZE_MAX) == NULL);
}

static void nulls(void)
{
    icefish_aead *key = gcm();
    unsigned char tag[16], data[32] = {0};
    IS(NONE, icefish_aead_seal(key, data, 12, NULL, 0, NULL, NULL, 0, tag, 16));
    IS(NONE, icefish_aead_open(key, data, 12, NULL, 0, NULL, NULL, 0, tag, 16));
    IS(NULL, icefish_aead_seal(NULL, data, 12, NULL, 0, NULL, NULL, 0, tag, 16));
    IS(NULL, icefish_aead_seal(key, NULL, 12, NULL, 0, NULL, NULL, 0, tag, 16));
    IS(NULL, icefish_aead_seal(key, data, 12, NULL, 1, NULL, NULL, 0, tag, 16));
    IS(NULL, icefish_aead_seal(key, data, 12, NULL, 0, NULL, data + 12, 16, tag, 16));
    IS(NULL, icefish_aead_seal(key, data, 12, NULL, 0, data + 12, NULL, 16, tag, 16));
    IS(NULL, icefish_aead_seal(key, data, 12, NULL, 0, data + 12, data + 12, 16, NULL, 16));
    IS(TAG_LENGTH, icefish_aead_seal(key, data, 12, NULL, 0, data + 12, data + 12, 16, tag, 15));
    IS(LENGTH, icefish_aead_seal(key, data, SIZE_MAX / 2 + 1, NULL, 0, NULL, NULL, 0, tag, 16));
    IS(LENGTH, icefish_aead_seal(key, (char *)-8, 12, NULL, 0, NULL, NULL, 0, tag, 16));
    IS(NULL, icefish_aead_seal_many(key, NULL, 1));
    IS(NONE, icefish_aead_seal_many(key, NULL, 0));
    CHECK(icefish_aead_tag_len(NULL) == 0 && icefish_hash_len(NULL) == 0 && icefish_mac_tag_len(NULL) == 0);
    icefish_aead_free(key);
    icefish_aead_free(NULL), icefish_threefish_free(NULL), icefish_cipher_free(NULL), icefish_message_free(NULL);
    icefish_sealer_free(NULL), icefish_opener_free(NULL), icefish_hash_free(NULL), icefish_hasher_free(NULL);
    icefish_mac_free(NULL), icefish_mac_message_free(NULL), icefish_chunked_free(NULL);
    IS(NULL, icefish_threefish_set_tweak(NULL, tag));
    IS(NULL, icefish_hasher_update(NULL, tag, 1));
}

/* Every place of an output of 16 bytes beside and over an input of 16 bytes. */
static void overlaps(void)
{
    icefish_aead *key = gcm();
    icefish_threefish *threefish;
    IS(NONE, icefish_threefish_new(key32, 32, NULL, NULL, &threefish));
    icefish_hash *hash;
    IS(NONE, icefish_hash_new("skein-256", NULL, 0, 128, NULL, &hash));
    unsigned char data[160], tag[16], nonce[12] = {0};
    memset(data, 7, sizeof data);
    for (int at = 16; at <= 112; at++) {
        bool over = at > 32 && at < 96 && at != 64;
        CHECK(icefish_threefish_encrypt(threefish, data + 64, data + at, 32) ==
              (over ? ICEFISH_ERROR_OVERLAP : ICEFISH_ERROR_NONE));
        CHECK(icefish_aead_seal(key, nonce, 12, NULL, 0, data + 64, data + at, 32, tag, 16) ==
              (over ? ICEFISH_ERROR_OVERLAP : ICEFISH_ERROR_NONE));
        bool on = at > 48 && at < 96;
        CHECK(icefish_aead_seal(key, nonce, 12, data + 64, 32, NULL, NULL, 0, data + at, 16) ==
              (on ? ICEFISH_ERROR_OVERLAP : ICEFISH_ERROR_NONE));
        CHECK(icefish_hash_digest(hash, data + 64, 32, data + at, 16) ==
              (on ? ICEFISH_ERROR_OVERLAP : ICEFISH_ERROR_NONE));
    }
    /* Inputs may overlap with each other. */
    IS(NONE, icefish_aead_seal(key, data, 12, data, 32, data + 64, data + 96, 32, tag, 16));
    /* A result within an output, and the array of messages as an output of one of them. */
    icefish_message *message;
    icefish_cipher *cipher;
    union {
        size_t number;
        unsigned char bytes[64];
    } mixed = {0};
    IS(NONE, icefish_cipher_new("aes-256-ctr", key32, 32, NULL, 0, NULL, NULL, &cipher));
    IS(OVERLAP, icefish_cipher_encrypt(cipher, data, 16, mixed.bytes, 64, mixed.bytes, 64, &mixed.number));
    icefish_aead_message many = {nonce, 12, NULL, 0, data, data, 32, tag, 0};
    many.output = &many;
    many.input = &many;
    IS(OVERLAP, icefish_aead_seal_many(key, &many, 1));
    /* The room of an opener is in use between calls. */
    icefish_opener *opener;
    IS(NONE, icefish_opener_new(key, nonce, 12, data, 64, &opener));
    IS(OVERLAP, icefish_opener_update(opener, data + 63, 2));
    IS(OVERLAP, icefish_opener_finish(opener, data + 48, 16, NULL));
    IS(NONE, icefish_opener_update(opener, data + 64, 2));
    icefish_opener_free(opener);
    CHECK(data[0] == 0 && data[1] == 0);
    IS(NONE, icefish_encryptor_new(cipher, data, 16, &message));
    IS(OVERLAP, icefish_message_update(message, data, 20, data + 1, 20, NULL));
    icefish_message_free(message);
    icefish_cipher_free(cipher);
    icefish_hash_free(hash);
    icefish_threefish_free(threefish);
    icefish_aead_free(key);
}

static void lengths(void)
{
    icefish_threefish *threefish;
    unsigned char data[256] = {0}, tag[16] = {0};
    size_t len;
    IS(NONE, icefish_threefish_new(data, 128, NULL, NULL, &threefish));
    IS(PARTIAL_BLOCK, icefish_threefish_encrypt(threefish, data, data, 129));
    IS(PARTIAL_BLOCK, icefish_threefish_decrypt(threefish, data, data + 128, 127));
    IS(NONE, icefish_threefish_encrypt(threefish, NULL, NULL, 0));
    icefish_threefish_free(threefish);
    icefish_cipher *cipher;
    IS(NONE, icefish_cipher_new("aes-256-cbc", key32, 32, NULL, 0, NULL, NULL, &cipher));
    IS(IV_LENGTH, icefish_cipher_encrypt(cipher, tag, 15, data, 16, data, 32, &len));
    IS(BUFFER_LENGTH, icefish_cipher_encrypt(cipher, tag, 16, data, 16, data, 31, &len));
    IS(NONE, icefish_cipher_encrypt(cipher, tag, 16, data, 16, data, 32, &len));
    CHECK(len == 32);
    IS(NONE, icefish_cipher_decrypt(cipher, tag, 16, data, 32, data, 32, &len));
    CHECK(len == 16);
    IS(PADDING, icefish_cipher_decrypt(cipher, tag, 16, data, 16, data, 16, &len));
    icefish_message *message;
    IS(NONE, icefish_encryptor_new(cipher, tag, 16, &message));
    CHECK(icefish_message_output_len(message, 17) >= 32);
    IS(NOT_SEEKABLE, icefish_message_seek(message, 16));
    IS(NONE, icefish_message_finish(message, data, 16, NULL));
    IS(FINISHED, icefish_message_finish(message, data, 16, NULL));
    IS(FINISHED, icefish_message_update(message, data, 16, data + 64, 32, NULL));
    CHECK(icefish_message_output_len(message, 17) == 0);
    icefish_message_free(message);
    icefish_cipher_free(cipher);
    icefish_aead *key = gcm();
    icefish_sealer *sealer;
    IS(NONE, icefish_sealer_new(key, data, 12, &sealer));
    icefish_aead_free(key); /* the message keeps it */
    IS(NONE, icefish_sealer_update(sealer, data, data, 16));
    IS(LATE_ASSOCIATED, icefish_sealer_associated(sealer, data, 1));
    IS(NONE, icefish_sealer_finish(sealer, tag, 16));
    IS(FINISHED, icefish_sealer_update(sealer, data, data, 16));
    icefish_sealer_free(sealer);
    IS(NONE, icefish_aead_new("aes-256-gcm-siv", key32, 32, 0, NULL, &key));
    IS(WHOLE_MESSAGE, icefish_sealer_new(key, data, 12, &sealer));
    icefish_aead_free(key);
}

static void *work(void *key)
{
    unsigned char data[4096], tag[16], nonce[12] = {0};
    for (int i = 0; i < 200; i++) {
        memset(data, i, sizeof data);
        IS(NONE, icefish_aead_seal(key, nonce, 12, NULL, 0, data, data, sizeof data, tag, 16));
        IS(NONE, icefish_aead_open(key, nonce, 12, NULL, 0, data, data, sizeof data, tag, 16));
        CHECK(data[0] == (unsigned char)i && data[4095] == (unsigned char)i);
    }
    /* The last message of a failure belongs to a thread. */
    char why[80];
    CHECK(icefish_last_message(why, sizeof why) == 0 && why[0] == 0);
    return NULL;
}

static void threads(void)
{
    icefish_aead *key = gcm();
    pthread_t thread[4];
    for (int i = 0; i < 4; i++)
        CHECK(pthread_create(&thread[i], NULL, work, key) == 0);
    for (int i = 0; i < 4; i++)
        CHECK(pthread_join(thread[i], NULL) == 0);
    icefish_aead_free(key);
}

static void files(const char *folder)
{
    enum { LEN = 100000 };
    char plain[512], sealed[512], back[512];
    snprintf(plain, sizeof plain, "%s/plain", folder);
    snprintf(sealed, sizeof sealed, "%s/sealed", folder);
    snprintf(back, sizeof back, "%s/back", folder);
    struct bytes data = room(LEN), part = room(20000), whole = room(LEN);
    for (size_t i = 0; i < LEN; i++)
        data.at[i] = (unsigned char)(i % 251);
    FILE *file = fopen(plain, "wb");
    CHECK(file && fwrite(data.at, 1, LEN, file) == LEN && fclose(file) == 0);
    icefish_chunked *key;
    IS(NONE, icefish_chunked_new("cobblestone-256", key32, 32, NULL, &key));
    IS(NONE, icefish_chunked_seal_file(key, "to", 2, plain, sealed, false));
    IS(FILE_EXISTS, icefish_chunked_seal_file(key, "to", 2, plain, sealed, false));
    IS(NONE, icefish_chunked_seal_file(key, "to", 2, plain, sealed, true));
    IS(COMMITMENT, icefish_chunked_open_file(key, "me", 2, sealed, back, true));
    IS(NONE, icefish_chunked_open_file(key, "to", 2, sealed, back, true));
    file = fopen(back, "rb");
    CHECK(file && fread(whole.at, 1, LEN, file) == LEN && fgetc(file) == EOF && fclose(file) == 0);
    CHECK(same(whole, data));
    const uint64_t starts[] = {0, 1, 16383, 16384, 40000, LEN - 20000};
    for (int i = 0; i < 6; i++) {
        IS(NONE, icefish_chunked_open_file_range(key, "to", 2, sealed, starts[i], part.at, part.len));
        CHECK(memcmp(part.at, data.at + starts[i], part.len) == 0);
    }
    IS(RANGE, icefish_chunked_open_file_range(key, "to", 2, sealed, LEN - 19999, part.at, part.len));
    IS(RANGE, icefish_chunked_open_file_range(key, "to", 2, sealed, UINT64_MAX, part.at, part.len));
    /* A change in chunk 2 is found by whoever reads that. */
    enum { PLACE = 56 + 2 * 16400 + 5 };
    file = fopen(sealed, "r+b");
    CHECK(file && fseek(file, PLACE, SEEK_SET) == 0);
    int byte = fgetc(file);
    CHECK(byte != EOF && fseek(file, PLACE, SEEK_SET) == 0 && fputc(byte ^ 1, file) == (byte ^ 1) && fclose(file) == 0);
    IS(FORGED_CHUNK, icefish_chunked_open_file_range(key, "to", 2, sealed, 30000, part.at, part.len));
    for (size_t i = 0; i < part.len; i++)
        CHECK(part.at[i] == 0);
    IS(NONE, icefish_chunked_open_file_range(key, "to", 2, sealed, 60000, part.at, part.len));
    CHECK(unlink(back) == 0);
    IS(FORGED_CHUNK, icefish_chunked_open_file(key, "to", 2, sealed, back, true));
    CHECK(access(back, F_OK) != 0);
    IS(FILE, icefish_chunked_open_file(key, "to", 2, "/nonexistent/file", back, true));
    char why[256];
    icefish_last_message(why, sizeof why);
    CHECK(strstr(why, "/nonexistent/file") != NULL);
    uint64_t len;
    IS(NONE, icefish_chunked_sealed_len(LEN, &len));
    CHECK(len == 56 + LEN + 7 * 16);
    IS(NONE, icefish_chunked_plain_len(len, &len));
    CHECK(len == LEN);
    IS(TRUNCATED, icefish_chunked_plain_len(71, &len));
    CHECK(unlink(plain) == 0 && unlink(sealed) == 0);
    icefish_chunked_free(key);
    drop(&data), drop(&part), drop(&whole);
}

int main(int count, char **argument)
{
    if (count != 2) {
        fprintf(stderr, "usage: rules FOLDER\n");
        return 2;
    }
    threads();
    names();
    nulls();
    overlaps();
    lengths();
    files(argument[1]);
    printf("rules: %d checks\n", checks);
    return 0;
}
