//! Published known answers. What has no standard was agreed on by independent programs, which are named.

/// A block: cipher, key, tweak, plaintext and ciphertext in hex, source.
pub(super) struct Block {
    pub(super) cipher: &'static str,
    pub(super) key: &'static str,
    pub(super) tweak: &'static str,
    pub(super) plain: &'static str,
    pub(super) crypted: &'static str,
    pub(super) source: &'static str,
}

/// A message: cipher and mode, key, initialization vector, ciphertext of [`PLAIN`] in hex, source.
pub(super) struct Message {
    pub(super) suite: &'static str,
    pub(super) key: &'static str,
    pub(super) iv: &'static str,
    pub(super) crypted: &'static str,
    pub(super) source: &'static str,
}

/// A state: permutation, rounds, before and after in hex, source.
pub(super) struct State {
    pub(super) permutation: &'static str,
    pub(super) rounds: usize,
    pub(super) before: &'static str,
    pub(super) after: &'static str,
    pub(super) source: &'static str,
}

/// Blocks.
pub(super) const BLOCKS: &[Block] = &[
    Block {
        cipher: "aes-128",
        key: "000102030405060708090a0b0c0d0e0f",
        tweak: "",
        plain: "00112233445566778899aabbccddeeff",
        crypted: "69c4e0d86a7b0430d8cdb78070b4c55a",
        source: "FIPS 197, C.1",
    },
    Block {
        cipher: "aes-192",
        key: "000102030405060708090a0b0c0d0e0f1011121314151617",
        tweak: "",
        plain: "00112233445566778899aabbccddeeff",
        crypted: "dda97ca4864cdfe06eaf70a0ec0d7191",
        source: "FIPS 197, C.2",
    },
    Block {
        cipher: "aes-256",
        key: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
        tweak: "",
        plain: "00112233445566778899aabbccddeeff",
        crypted: "8ea2b7ca516745bfeafc49904b496089",
        source: "FIPS 197, C.3",
    },
    Block {
        cipher: "threefish-256",
        key: "0000000000000000000000000000000000000000000000000000000000000000",
        tweak: "00000000000000000000000000000000",
        plain: "0000000000000000000000000000000000000000000000000000000000000000",
        crypted: "84da2a1f8beaee947066ae3e3103f1ad536db1f4a1192495116b9f3ce6133fd8",
        source: "Skein 1.3 submission, golden KAT internals",
    },
    Block {
        cipher: "threefish-256",
        key: "101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f",
        tweak: "000102030405060708090a0b0c0d0e0f",
        plain: "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0efeeedecebeae9e8e7e6e5e4e3e2e1e0",
        crypted: "e0d091ff0eea8fdfc98192e62ed80ad59d865d08588df476657056b5955e97df",
        source: "Skein 1.3 submission, golden KAT internals",
    },
    Block {
        cipher: "threefish-512",
        key: "0000000000000000000000000000000000000000000000000000000000000000\
            0000000000000000000000000000000000000000000000000000000000000000",
        tweak: "00000000000000000000000000000000",
        plain: "0000000000000000000000000000000000000000000000000000000000000000\
            0000000000000000000000000000000000000000000000000000000000000000",
        crypted: "b1a2bbc6ef6025bc40eb3822161f36e375d1bb0aee3186fbd19e47c5d479947b\
            7bc2f8586e35f0cff7e7f03084b0b7b1f1ab3961a580a3e97eb41ea14a6d7bbe",
        source: "Skein 1.3 submission, golden KAT internals",
    },
    Block {
        cipher: "threefish-512",
        key: "101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f\
            303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f",
        tweak: "000102030405060708090a0b0c0d0e0f",
        plain: "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0efeeedecebeae9e8e7e6e5e4e3e2e1e0\
            dfdedddcdbdad9d8d7d6d5d4d3d2d1d0cfcecdcccbcac9c8c7c6c5c4c3c2c1c0",
        crypted: "e304439626d45a2cb401cad8d636249a6338330eb06d45dd8b36b90e97254779\
            272a0a8d99463504784420ea18c9a725af11dffea10162348927673d5c1caf3d",
        source: "Skein 1.3 submission, golden KAT internals",
    },
    Block {
        cipher: "threefish-1024",
        key: "0000000000000000000000000000000000000000000000000000000000000000\
            0000000000000000000000000000000000000000000000000000000000000000\
            0000000000000000000000000000000000000000000000000000000000000000\
            0000000000000000000000000000000000000000000000000000000000000000",
        tweak: "00000000000000000000000000000000",
        plain: "0000000000000000000000000000000000000000000000000000000000000000\
            0000000000000000000000000000000000000000000000000000000000000000\
            0000000000000000000000000000000000000000000000000000000000000000\
            0000000000000000000000000000000000000000000000000000000000000000",
        crypted: "f05c3d0a3d05b304f785ddc7d1e036015c8aa76e2f217b06c6e1544c0bc1a90d\
            f0accb9473c24e0fd54fea68057f43329cb454761d6df5cf7b2e9b3614fbd5a2\
            0b2e4760b40603540d82eabc5482c171c832afbe68406bc39500367a592943fa\
            9a5b4a43286ca3c4cf46104b443143d560a4b230488311df4feef7e1dfe8391e",
        source: "Skein 1.3 submission, golden KAT internals",
    },
    Block {
        cipher: "threefish-1024",
        key: "101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f\
            303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f\
            505152535455565758595a5b5c5d5e5f606162636465666768696a6b6c6d6e6f\
            707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f",
        tweak: "000102030405060708090a0b0c0d0e0f",
        plain: "fffefdfcfbfaf9f8f7f6f5f4f3f2f1f0efeeedecebeae9e8e7e6e5e4e3e2e1e0\
            dfdedddcdbdad9d8d7d6d5d4d3d2d1d0cfcecdcccbcac9c8c7c6c5c4c3c2c1c0\
            bfbebdbcbbbab9b8b7b6b5b4b3b2b1b0afaeadacabaaa9a8a7a6a5a4a3a2a1a0\
            9f9e9d9c9b9a999897969594939291908f8e8d8c8b8a89888786858483828180",
        crypted: "a6654ddbd73cc3b05dd777105aa849bce49372eaaffc5568d254771bab85531c\
            94f780e7ffaae430d5d8af8c70eebbe1760f3b42b737a89cb363490d670314bd\
            8aa41ee63c2e1f45fbd477922f8360b388d6125ea6c7af0ad7056d01796e90c8\
            3313f4150a5716b30ed5f569288ae974ce2b4347926fce57de44512177dd7cde",
        source: "Skein 1.3 submission, golden KAT internals",
    },
    Block {
        cipher: "thin-ice",
        key: "deadbeef01234567",
        tweak: "",
        plain: "fedcba9876543210",
        crypted: "de240d83a00a9cc0",
        source: "M. Kwan, published with his C code",
    },
    Block {
        cipher: "ice-1",
        key: "deadbeef01234567",
        tweak: "",
        plain: "fedcba9876543210",
        crypted: "7d6ef1ef30d47a96",
        source: "M. Kwan, published with his C code",
    },
    Block {
        cipher: "ice-2",
        key: "00112233445566778899aabbccddeeff",
        tweak: "",
        plain: "fedcba9876543210",
        crypted: "f94840d86972f21c",
        source: "M. Kwan, published with his C code",
    },
];

/// The plaintext of SP 800-38A.
pub(super) const PLAIN: &str = "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51\
    30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710";

/// Messages.
pub(super) const MESSAGES: &[Message] = &[
    Message {
        suite: "aes-128-ecb",
        key: "2b7e151628aed2a6abf7158809cf4f3c",
        iv: "",
        crypted: "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf\
            43b1cd7f598ece23881b00e3ed0306887b0c785e27e8ad3f8223207104725dd4",
        source: "SP 800-38A, F.1.1",
    },
    Message {
        suite: "aes-192-ecb",
        key: "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        iv: "",
        crypted: "bd334f1d6e45f25ff712a214571fa5cc974104846d0ad3ad7734ecb3ecee4eef\
            ef7afd2270e2e60adce0ba2face6444e9a4b41ba738d6c72fb16691603c18e0e",
        source: "SP 800-38A, F.1.3",
    },
    Message {
        suite: "aes-256-ecb",
        key: "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        iv: "",
        crypted: "f3eed1bdb5d2a03c064b5a7e3db181f8591ccb10d410ed26dc5ba74a31362870\
            b6ed21b99ca6f4f9f153e7b1beafed1d23304b7a39f9f3ff067d8d8f9e24ecc7",
        source: "SP 800-38A, F.1.5",
    },
    Message {
        suite: "aes-128-cbc",
        key: "2b7e151628aed2a6abf7158809cf4f3c",
        iv: "000102030405060708090a0b0c0d0e0f",
        crypted: "7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2\
            73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7",
        source: "SP 800-38A, F.2.1",
    },
    Message {
        suite: "aes-192-cbc",
        key: "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        iv: "000102030405060708090a0b0c0d0e0f",
        crypted: "4f021db243bc633d7178183a9fa071e8b4d9ada9ad7dedf4e5e738763f69145a\
            571b242012fb7ae07fa9baac3df102e008b0e27988598881d920a9e64f5615cd",
        source: "SP 800-38A, F.2.3",
    },
    Message {
        suite: "aes-256-cbc",
        key: "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        iv: "000102030405060708090a0b0c0d0e0f",
        crypted: "f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d\
            39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b",
        source: "SP 800-38A, F.2.5",
    },
    Message {
        suite: "aes-128-cfb",
        key: "2b7e151628aed2a6abf7158809cf4f3c",
        iv: "000102030405060708090a0b0c0d0e0f",
        crypted: "3b3fd92eb72dad20333449f8e83cfb4ac8a64537a0b3a93fcde3cdad9f1ce58b\
            26751f67a3cbb140b1808cf187a4f4dfc04b05357c5d1c0eeac4c66f9ff7f2e6",
        source: "SP 800-38A, F.3.13",
    },
    Message {
        suite: "aes-192-cfb",
        key: "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        iv: "000102030405060708090a0b0c0d0e0f",
        crypted: "cdc80d6fddf18cab34c25909c99a417467ce7f7f81173621961a2b70171d3d7a\
            2e1e8a1dd59b88b1c8e60fed1efac4c9c05f9f9ca9834fa042ae8fba584b09ff",
        source: "SP 800-38A, F.3.15",
    },
    Message {
        suite: "aes-256-cfb",
        key: "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        iv: "000102030405060708090a0b0c0d0e0f",
        crypted: "dc7e84bfda79164b7ecd8486985d386039ffed143b28b1c832113c6331e5407b\
            df10132415e54b92a13ed0a8267ae2f975a385741ab9cef82031623d55b1e471",
        source: "SP 800-38A, F.3.17",
    },
    Message {
        suite: "aes-128-cfb8",
        key: "2b7e151628aed2a6abf7158809cf4f3c",
        iv: "000102030405060708090a0b0c0d0e0f",
        crypted: "3b79424c9c0dd436bace9e0ed4586a4f32b9",
        source: "SP 800-38A, F.3.7",
    },
    Message {
        suite: "aes-192-cfb8",
        key: "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        iv: "000102030405060708090a0b0c0d0e0f",
        crypted: "cda2521ef0a905ca44cd057cbf0d47a0678a",
        source: "SP 800-38A, F.3.9",
    },
    Message {
        suite: "aes-256-cfb8",
        key: "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        iv: "000102030405060708090a0b0c0d0e0f",
        crypted: "dc1f1a8520a64db55fcc8ac554844e889700",
        source: "SP 800-38A, F.3.11",
    },
    Message {
        suite: "aes-128-ofb",
        key: "2b7e151628aed2a6abf7158809cf4f3c",
        iv: "000102030405060708090a0b0c0d0e0f",
        crypted: "3b3fd92eb72dad20333449f8e83cfb4a7789508d16918f03f53c52dac54ed825\
            9740051e9c5fecf64344f7a82260edcc304c6528f659c77866a510d9c1d6ae5e",
        source: "SP 800-38A, F.4.1",
    },
    Message {
        suite: "aes-192-ofb",
        key: "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        iv: "000102030405060708090a0b0c0d0e0f",
        crypted: "cdc80d6fddf18cab34c25909c99a4174fcc28b8d4c63837c09e81700c1100401\
            8d9a9aeac0f6596f559c6d4daf59a5f26d9f200857ca6c3e9cac524bd9acc92a",
        source: "SP 800-38A, F.4.3",
    },
    Message {
        suite: "aes-256-ofb",
        key: "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        iv: "000102030405060708090a0b0c0d0e0f",
        crypted: "dc7e84bfda79164b7ecd8486985d38604febdc6740d20b3ac88f6ad82a4fb08d\
            71ab47a086e86eedf39d1c5bba97c4080126141d67f37be8538f5a8be740e484",
        source: "SP 800-38A, F.4.5",
    },
    Message {
        suite: "aes-128-ctr",
        key: "2b7e151628aed2a6abf7158809cf4f3c",
        iv: "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        crypted: "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff\
            5ae4df3edbd5d35e5b4f09020db03eab1e031dda2fbe03d1792170a0f3009cee",
        source: "SP 800-38A, F.5.1",
    },
    Message {
        suite: "aes-192-ctr",
        key: "8e73b0f7da0e6452c810f32b809079e562f8ead2522c6b7b",
        iv: "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        crypted: "1abc932417521ca24f2b0459fe7e6e0b090339ec0aa6faefd5ccc2c6f4ce8e94\
            1e36b26bd1ebc670d1bd1d665620abf74f78a7f6d29809585a97daec58c6b050",
        source: "SP 800-38A, F.5.3",
    },
    Message {
        suite: "aes-256-ctr",
        key: "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
        iv: "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
        crypted: "601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5\
            2b0930daa23de94ce87017ba2d84988ddfc9c58db67aada613c2dd08457941a6",
        source: "SP 800-38A, F.5.5",
    },
];

/// States.
pub(super) const STATES: &[State] = &[
    State {
        permutation: "xoodoo",
        rounds: 12,
        before: "0000000000000000000000000000000000000000000000000000000000000000\
            00000000000000000000000000000000",
        after: "8dd8d589bffc63a9192d231b14a0a5ff0681b136fec1c7afbe7ce5aebd4075a7\
            70e8862ec9b7f5fef2ad4f8b62404f5e",
        source: "XKCP and a Python model",
    },
    State {
        permutation: "xoodoo",
        rounds: 12,
        before: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\
            202122232425262728292a2b2c2d2e2f",
        after: "7633aeb55dccbf60d4a6dfd7506d06bfb2ac97ae970d8ad31385117bb775a741\
            b3b1540bb53be96f3b2b8fafa676a3b6",
        source: "XKCP and a Python model",
    },
    State {
        permutation: "xoodoo",
        rounds: 6,
        before: "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff\
            ffffffffffffffffffffffffffffffff",
        after: "e32243cf7762786ca6fe4829ed052f8d267e88d63b3dd64191ee132200c2e102\
            30d1d326e62e800847a6e186f4ddf0af",
        source: "XKCP and a Python model",
    },
    State {
        permutation: "xoodoo64",
        rounds: 12,
        before: "0000000000000000000000000000000000000000000000000000000000000000\
            00000000000000000000000000000000",
        after: "032903c42dca3c1d2b2c0f7b9cc67e32a2f03ad9b93a72a5f1c91dcd73d75325\
            9a93b9e117dc7c61ed8450eb76c94caf",
        source: "the scalar code of the Xoodoo64 benchmark and a Python model",
    },
    State {
        permutation: "xoodoo64",
        rounds: 12,
        before: "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f\
            202122232425262728292a2b2c2d2e2f",
        after: "f59fea9f4ac891cefd02b6fdd3bdeae653f32f4abb8aae88379612d52d18fecc\
            b101a331f3cda638b689c996b2d8e50c",
        source: "the scalar code of the Xoodoo64 benchmark and a Python model",
    },
];
