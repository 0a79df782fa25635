// Crypto++ has no interface but templates: the modes of AES behind functions of C.

#include <cryptopp/aes.h>
#include <cryptopp/config.h>
#include <cryptopp/gcm.h>
#include <cryptopp/modes.h>
#include <cryptopp/xts.h>

#include <cstddef>
#include <memory>

using namespace CryptoPP;

namespace {

// One of the two.
struct Cipher {
    std::unique_ptr<SymmetricCipher> mode;
    std::unique_ptr<AuthenticatedSymmetricCipher> sealing;
};

template <template <class> class Mode> std::unique_ptr<SymmetricCipher> make(bool encrypt) {
    if (encrypt) {
        return std::make_unique<typename Mode<AES>::Encryption>();
    }
    return std::make_unique<typename Mode<AES>::Decryption>();
}

template <class C> using Xts = XTS<C>;

std::unique_ptr<SymmetricCipher> make(int mode, bool encrypt) {
    switch (mode) {
    case 0: return make<ECB_Mode>(encrypt);
    case 1: return make<CBC_Mode>(encrypt);
    case 2: return make<CTR_Mode>(encrypt);
    case 3: return make<CFB_Mode>(encrypt);
    case 4: return make<OFB_Mode>(encrypt);
    case 5: return make<Xts>(encrypt);
    default: return nullptr;
    }
}

} // namespace

extern "C" {

int icefish_cryptopp_version() { return CRYPTOPP_VERSION; }

// Mode 6 is GCM, which seals only. Null if the mode refuses the key or the IV.
Cipher *icefish_cryptopp_new(int mode, int encrypt, const byte *key, size_t key_length, const byte *iv, size_t iv_length) {
    try {
        auto cipher = std::make_unique<Cipher>();
        if (mode == 6 && encrypt != 0) {
            cipher->sealing = std::make_unique<GCM<AES>::Encryption>();
            cipher->sealing->SetKeyWithIV(key, key_length, iv, iv_length);
            return cipher.release();
        }
        cipher->mode = make(mode, encrypt != 0);
        if (!cipher->mode) return nullptr;
        if (iv_length == 0) {
            cipher->mode->SetKey(key, key_length);
        } else {
            cipher->mode->SetKeyWithIV(key, key_length, iv, iv_length);
        }
        return cipher.release();
    } catch (...) {
        return nullptr;
    }
}

void icefish_cryptopp_free(Cipher *cipher) { delete cipher; }

// A key and an IV: 1 if it worked.
int icefish_cryptopp_rekey(Cipher *cipher, const byte *key, size_t key_length, const byte *iv, size_t iv_length) {
    try {
        cipher->mode->SetKeyWithIV(key, key_length, iv, iv_length);
        return 1;
    } catch (...) {
        return 0;
    }
}

// A message under the kept key, in place: 1 if it worked.
int icefish_cryptopp_run(Cipher *cipher, const byte *iv, size_t iv_length, byte *data, size_t length) {
    try {
        if (iv_length != 0) cipher->mode->Resynchronize(iv, static_cast<int>(iv_length));
        cipher->mode->ProcessData(data, data, length);
        return 1;
    } catch (...) {
        return 0;
    }
}

// A message under a kept key of GCM, in place, and its tag of 16 bytes: 1 if it worked.
int icefish_cryptopp_seal(
    Cipher *cipher, const byte *iv, size_t iv_length, const byte *associated, size_t associated_length, byte *data,
    size_t length, byte *tag) {
    try {
        if (!cipher->sealing) return 0;
        cipher->sealing->EncryptAndAuthenticate(
            data, tag, 16, iv, static_cast<int>(iv_length), associated, associated_length, data, length);
        return 1;
    } catch (...) {
        return 0;
    }
}
}
