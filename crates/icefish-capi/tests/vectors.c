/* Known answers, from the vectors of the library's tests: vectors FOLDER [BACKEND]. */
#include "common.h"

static const char *folder;
static const char *backend;

static void threefish(void)
{
    FILE *file = vectors(folder, "threefish/threefish_official.csv");
    static char line[LINE];
    char *cell[7];
    int rows = 0;
    CHECK(next_line(file, line));
    for (; next_line(file, line); rows++) {
        CHECK(cells(line, cell, 7) == 7);
        struct bytes key = hex(cell[3]), tweak = hex(cell[4]), plain = hex(cell[5]), want = hex(cell[6]);
        icefish_threefish *made;
        IS(NONE, icefish_threefish_new(key.at, key.len, tweak.at, backend, &made));
        for (size_t shift = 0; shift < 9; shift++) { /* blocks of any alignment */
            struct bytes block = room(plain.len + shift);
            unsigned char *at = block.at + shift;
            memcpy(at, plain.at, plain.len);
            IS(NONE, icefish_threefish_encrypt(made, at, at, plain.len));
            CHECK(memcmp(at, want.at, want.len) == 0);
            IS(NONE, icefish_threefish_decrypt(made, at, at, plain.len));
            CHECK(memcmp(at, plain.at, plain.len) == 0);
            IS(NONE, icefish_threefish_encrypt(made, plain.at, at, plain.len));
            CHECK(memcmp(at, want.at, want.len) == 0);
            IS(NONE, icefish_threefish_decrypt(made, want.at, at, plain.len));
            CHECK(memcmp(at, plain.at, plain.len) == 0);
            drop(&block);
        }
        /* Many blocks at once, under the tweak of zeros and then that of the row. */
        IS(NONE, icefish_threefish_set_tweak(made, "zero of 16 bytes"));
        IS(NONE, icefish_threefish_set_tweak(made, tweak.at));
        struct bytes many = room(37 * plain.len);
        for (size_t i = 0; i < 37; i++)
            memcpy(many.at + i * plain.len, plain.at, plain.len);
        IS(NONE, icefish_threefish_encrypt(made, many.at, many.at, many.len));
        for (size_t i = 0; i < 37; i++)
            CHECK(memcmp(many.at + i * plain.len, want.at, want.len) == 0);
        icefish_threefish_free(made);
        drop(&many), drop(&key), drop(&tweak), drop(&plain), drop(&want);
    }
    CHECK(rows == 11);
    fclose(file);
}

static void skein(void)
{
    FILE *file = vectors(folder, "threefish/skein13_golden_kat.csv");
    static char line[LINE];
    char *cell[9], name[32];
    int rows = 0;
    CHECK(next_line(file, line));
    while (next_line(file, line)) {
        CHECK(cells(line, cell, 9) == 9);
        if (atoi(cell[2]) % 8 != 0 || atoi(cell[5]) != 0)
            continue; /* parts of bytes, and trees, are not in this interface */
        rows++;
        struct bytes message = hex(cell[3]), key = hex(cell[4]), want = hex(cell[8]);
        message.len = (size_t)atoi(cell[2]) / 8;
        snprintf(name, sizeof name, "skein-%s", cell[0]);
        icefish_hash *hash;
        IS(NONE, icefish_hash_new(name, key.at, key.len, (uint64_t)atoi(cell[1]), backend, &hash));
        CHECK(icefish_hash_len(hash) == want.len);
        struct bytes digest = room(want.len);
        IS(NONE, icefish_hash_digest(hash, message.at, message.len, digest.at, digest.len));
        CHECK(same(digest, want));
        IS(NONE, icefish_hash_verify(hash, message.at, message.len, want.at, want.len));
        icefish_hasher *hasher;
        IS(NONE, icefish_hasher_new(hash, &hasher));
        for (size_t at = 0; at < message.len; at += 13) {
            size_t len = message.len - at < 13 ? message.len - at : 13;
            IS(NONE, icefish_hasher_update(hasher, message.at + at, len));
        }
        memset(digest.at, 0, digest.len);
        IS(NONE, icefish_hasher_finish(hasher, digest.at, digest.len));
        CHECK(same(digest, want));
        icefish_hasher_free(hasher);
        struct bytes digests = room(100 * want.len);
        icefish_bytes messages[100];
        for (int i = 0; i < 100; i++)
            messages[i] = (icefish_bytes){message.at, message.len};
        IS(NONE, icefish_hash_many(hash, messages, 100, digests.at, digests.len));
        for (size_t i = 0; i < 100; i++)
            CHECK(memcmp(digests.at + i * want.len, want.at, want.len) == 0);
        icefish_hash_free(hash);
        drop(&digests), drop(&digest), drop(&message), drop(&key), drop(&want);
    }
    CHECK(rows > 100);
    fclose(file);
}

/* One row of Wycheproof for an authenticated mode. */
struct row {
    struct bytes key, iv, aad, msg, ct, tag;
};

static void opened(const icefish_aead *key, const struct row *row, bool valid)
{
    struct bytes out = room(row->ct.len);
    icefish_error want = valid ? ICEFISH_ERROR_NONE : ICEFISH_ERROR_FORGED;
    CHECK(icefish_aead_open(key, row->iv.at, row->iv.len, row->aad.at, row->aad.len, row->ct.at, out.at,
                            out.len, row->tag.at, row->tag.len) == want);
    for (size_t i = 0; i < out.len; i++)
        CHECK(out.at[i] == (valid ? row->msg.at[i] : 0));
    memset(out.at, 0x5a, out.len);
    icefish_opener *opener;
    IS(NONE, icefish_opener_new(key, row->iv.at, row->iv.len, out.at, out.len, &opener));
    IS(NONE, icefish_opener_associated(opener, row->aad.at, row->aad.len));
    IS(NONE, icefish_opener_update(opener, row->ct.at, row->ct.len / 3));
    IS(NONE, icefish_opener_update(opener, row->ct.at + row->ct.len / 3, row->ct.len - row->ct.len / 3));
    size_t len = 0;
    CHECK(icefish_opener_finish(opener, row->tag.at, row->tag.len, &len) == want);
    icefish_opener_free(opener);
    CHECK(!valid || len == row->msg.len);
    for (size_t i = 0; i < out.len; i++)
        CHECK(out.at[i] == (valid ? row->msg.at[i] : 0));
    drop(&out);
}

static void sealed(const icefish_aead *key, const struct row *row)
{
    struct bytes out = room(row->msg.len), tag = room(row->tag.len);
    IS(NONE, icefish_aead_seal(key, row->iv.at, row->iv.len, row->aad.at, row->aad.len, row->msg.at, out.at,
                               out.len, tag.at, tag.len));
    CHECK(same(out, row->ct) && same(tag, row->tag));
    memcpy(out.at, row->msg.at, out.len);
    IS(NONE, icefish_aead_seal(key, row->iv.at, row->iv.len, row->aad.at, row->aad.len, out.at, out.at,
                               out.len, tag.at, tag.len));
    CHECK(same(out, row->ct) && same(tag, row->tag));
    icefish_sealer *sealer;
    IS(NONE, icefish_sealer_new(key, row->iv.at, row->iv.len, &sealer));
    IS(NONE, icefish_sealer_associated(sealer, row->aad.at, row->aad.len));
    size_t part = row->msg.len / 2;
    memset(out.at, 0, out.len);
    IS(NONE, icefish_sealer_update(sealer, row->msg.at, out.at, part));
    memcpy(out.at + part, row->msg.at + part, out.len - part);
    IS(NONE, icefish_sealer_update(sealer, out.at + part, out.at + part, out.len - part));
    IS(NONE, icefish_sealer_finish(sealer, tag.at, tag.len));
    icefish_sealer_free(sealer);
    CHECK(same(out, row->ct) && same(tag, row->tag));
    /* Three messages: from one buffer to another, one that fails, and in place. */
    struct bytes other = room(row->msg.len), other_tag = room(row->tag.len);
    memcpy(other.at, row->msg.at, other.len);
    icefish_aead_message many[3];
    many[0] = (icefish_aead_message){row->iv.at, row->iv.len, row->aad.at, row->aad.len, row->msg.at, out.at,
                                     out.len, tag.at, -1};
    many[2] = many[1] = many[0];
    many[1].tag = NULL;
    many[2].input = many[2].output = other.at;
    many[2].tag = other_tag.at;
    IS(NULL, icefish_aead_seal_many(key, many, 3));
    CHECK(many[0].error == 0 && many[1].error == ICEFISH_ERROR_NULL && many[2].error == 0);
    CHECK(same(out, row->ct) && same(tag, row->tag) && same(other, row->ct) && same(other_tag, row->tag));
    many[1].tag = tag.at;
    many[0].input = many[1].input = row->ct.at;
    other_tag.at[0] ^= 1;
    IS(FORGED, icefish_aead_open_many(key, many, 3));
    CHECK(many[0].error == 0 && many[1].error == 0 && many[2].error == ICEFISH_ERROR_FORGED);
    CHECK(same(out, row->msg));
    drop(&out), drop(&tag), drop(&other), drop(&other_tag);
}

static void gcm(void)
{
    FILE *file = vectors(folder, "aes/wycheproof/aes_gcm_test.json");
    static char line[LINE];
    static const char *const names[] = {"key", "iv", "aad", "msg", "ct", "tag"};
    struct row row = {0};
    struct bytes *fields[] = {&row.key, &row.iv, &row.aad, &row.msg, &row.ct, &row.tag};
    int rows = 0, forged = 0;
    while (next_line(file, line)) {
        char *text = NULL;
        for (int i = 0; i < 6 && !text; i++)
            if ((text = value_of(line, names[i])))
                *fields[i] = hex(text);
        if (text || !(text = value_of(line, "result")) || !row.tag.at)
            continue;
        bool valid = strcmp(text, "valid") == 0;
        char name[32];
        icefish_aead *key;
        snprintf(name, sizeof name, "aes-%zu-gcm", 8 * row.key.len);
        IS(NONE, icefish_aead_new(name, row.key.at, row.key.len, 0, backend, &key));
        if (row.iv.len == 0) {
            IS(IV_LENGTH, icefish_aead_seal(key, NULL, 0, NULL, 0, NULL, NULL, 0, row.tag.at, 16));
        } else {
            opened(key, &row, valid);
            if (valid)
                sealed(key, &row);
            forged += !valid;
        }
        icefish_aead_free(key);
        for (int i = 0; i < 6; i++)
            drop(fields[i]);
        rows++;
    }
    CHECK(rows == 316 && forged > 20);
    fclose(file);
}

static void cmac(void)
{
    FILE *file = vectors(folder, "aes/wycheproof/aes_cmac_test.json");
    static char line[LINE];
    static const char *const names[] = {"key", "msg", "tag"};
    struct bytes field[3] = {{0}};
    int rows = 0;
    while (next_line(file, line)) {
        char *text = NULL;
        for (int i = 0; i < 3 && !text; i++)
            if ((text = value_of(line, names[i])))
                field[i] = hex(text);
        if (text || !(text = value_of(line, "result")) || !field[2].at)
            continue;
        char name[32];
        icefish_mac *key;
        snprintf(name, sizeof name, "aes-%zu-cmac", 8 * field[0].len);
        struct bytes msg = field[1], tag = field[2];
        bool known = field[0].len == 16 || field[0].len == 24 || field[0].len == 32;
        if (known) {
            IS(NONE, icefish_mac_new(name, field[0].at, field[0].len, tag.len, backend, &key));
            icefish_error want = strcmp(text, "valid") == 0 ? ICEFISH_ERROR_NONE : ICEFISH_ERROR_FORGED;
            CHECK(icefish_mac_verify(key, msg.at, msg.len, tag.at, tag.len) == want);
            icefish_mac_message *message;
            IS(NONE, icefish_mac_message_new(key, &message));
            icefish_mac_free(key); /* the message keeps it */
            IS(NONE, icefish_mac_message_update(message, msg.at, msg.len / 2));
            IS(NONE, icefish_mac_message_update(message, msg.at + msg.len / 2, msg.len - msg.len / 2));
            CHECK(icefish_mac_message_verify(message, tag.at, tag.len) == want);
            icefish_mac_message_free(message);
            rows++;
        }
        for (int i = 0; i < 3; i++)
            drop(&field[i]);
    }
    CHECK(rows > 250);
    fclose(file);
}

static void raw(const char *name, const char *padding, const char *vectors_of)
{
    FILE *file = vectors(folder, vectors_of);
    static char line[LINE];
    static const char *const names[] = {"KEY", "IV", "PLAINTEXT", "CIPHERTEXT"};
    struct bytes field[4] = {{0}};
    int rows = 0, have = 0;
    while (next_line(file, line)) {
        for (int i = 0; i < 4; i++) {
            char *text = value_of(line, names[i]);
            if (text) {
                field[i] = hex(text);
                have++;
            }
        }
        if (have < 4)
            continue;
        struct bytes iv = field[1], plain = field[2], want = field[3], out = room(plain.len);
        icefish_cipher *key;
        size_t len = 0, more = 0;
        IS(NONE, icefish_cipher_new(name, field[0].at, field[0].len, NULL, 0, padding, backend, &key));
        IS(NONE, icefish_cipher_encrypt(key, iv.at, iv.len, plain.at, plain.len, out.at, out.len, &len));
        CHECK(len == want.len && same(out, want));
        IS(NONE, icefish_cipher_decrypt(key, iv.at, iv.len, out.at, out.len, out.at, out.len, &len));
        CHECK(len == plain.len && same(out, plain));
        icefish_message *message;
        IS(NONE, icefish_encryptor_new(key, iv.at, iv.len, &message));
        icefish_cipher_free(key); /* the message keeps it */
        size_t part = plain.len / 3;
        IS(NONE, icefish_message_update(message, plain.at, part, out.at, out.len, &len));
        IS(NONE, icefish_message_update(message, plain.at + part, plain.len - part, out.at + len, out.len - len,
                                        &more));
        len += more;
        IS(NONE, icefish_message_finish(message, out.at + len, out.len - len, &more));
        CHECK(len + more == want.len && same(out, want));
        icefish_message_free(message);
        drop(&out);
        for (int i = 0; i < 4; i++)
            drop(&field[i]);
        have = 0, rows++;
    }
    CHECK(rows >= 3);
    fclose(file);
}

static void cobblestone(void)
{
    FILE *file = vectors(folder, "cobblestone/messages.csv");
    static char line[LINE];
    char *cell[5];
    int rows = 0;
    CHECK(next_line(file, line) && next_line(file, line));
    for (; next_line(file, line); rows++) {
        CHECK(cells(line, cell, 5) == 5);
        struct bytes key = hex(cell[1]), context = hex(cell[2]), plain = hex(cell[3]), want = hex(cell[4]);
        icefish_chunked *made;
        IS(NONE, icefish_chunked_new(cell[0], key.at, key.len, backend, &made));
        struct bytes out = room(want.len);
        size_t len;
        IS(NONE, icefish_chunked_seal(made, want.at, context.at, context.len, plain.at, plain.len, out.at,
                                      out.len, &len));
        CHECK(len == want.len && same(out, want));
        IS(NONE, icefish_chunked_open(made, context.at, context.len, want.at, want.len, out.at, out.len, &len));
        CHECK(len == plain.len && memcmp(out.at, plain.at, len) == 0);
        for (size_t from = 0; from <= plain.len; from++) {
            IS(NONE, icefish_chunked_open_range(made, context.at, context.len, want.at, want.len, from, out.at,
                                                plain.len - from));
            CHECK(memcmp(out.at, plain.at + from, plain.len - from) == 0);
        }
        IS(RANGE, icefish_chunked_open_range(made, context.at, context.len, want.at, want.len, plain.len, out.at, 1));
        want.at[want.len - 1] ^= 1;
        IS(FORGED_CHUNK, icefish_chunked_open(made, context.at, context.len, want.at, want.len, out.at, out.len,
                                              NULL));
        IS(TRUNCATED, icefish_chunked_open(made, context.at, context.len, want.at, 71, out.at, out.len, NULL));
        want.at[30] ^= 1;
        IS(COMMITMENT, icefish_chunked_open(made, context.at, context.len, want.at, want.len, out.at, out.len,
                                            NULL));
        icefish_chunked_free(made);
        drop(&out), drop(&key), drop(&context), drop(&plain), drop(&want);
    }
    CHECK(rows == 8);
    fclose(file);
}

int main(int count, char **argument)
{
    if (count < 2) {
        fprintf(stderr, "usage: vectors FOLDER [BACKEND]\n");
        return 2;
    }
    folder = argument[1];
    backend = count > 2 ? argument[2] : NULL;
    threefish();
    skein();
    gcm();
    cmac();
    raw("aes-256-cbc", "none", "aes/nist/CBCMMT256.rsp");
    raw("aes-128-cfb8", NULL, "aes/nist/CFB8MMT128.rsp");
    raw("aes-192-ctr32", NULL, "aes/nist/aes-192-ctr.txt");
    cobblestone();
    printf("vectors on %s: %d checks\n", backend ? backend : "the widest backend", checks);
    return 0;
}
