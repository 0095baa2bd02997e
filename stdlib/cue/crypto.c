/* crypto.c - CUE's packages "crypto/...": digests, HMAC and Ed25519 signatures.
**
** All of them take strings or bytes and give bytes; the work is done in runtime/digest.c.
*/
#include "runtime/digest.h"
#include "stdlib/cue/stdlib.h"

static CueValue digest(CueCall *c, const char *algo) {
  CueStr out;
  if (!cue_digest(c->a, algo, cue_arg_str(c, 0), &out)) return cue_fail(c, "unsupported hash function");
  return cue_bytes(out);
}

static CueValue fn_md5(CueCall *c) { return digest(c, "md5"); }
static CueValue fn_sha1(CueCall *c) { return digest(c, "sha1"); }
static CueValue fn_sha224(CueCall *c) { return digest(c, "sha224"); }
static CueValue fn_sha256(CueCall *c) { return digest(c, "sha256"); }
static CueValue fn_sha384(CueCall *c) { return digest(c, "sha384"); }
static CueValue fn_sha512(CueCall *c) { return digest(c, "sha512"); }
static CueValue fn_sha512_224(CueCall *c) { return digest(c, "sha512-224"); }
static CueValue fn_sha512_256(CueCall *c) { return digest(c, "sha512-256"); }

static CueValue fn_sign(CueCall *c) {
  static const struct {
    const char *name, *algo;
  } known[] = {
      {"MD5", "md5"},       {"SHA1", "sha1"},     {"SHA224", "sha224"},         {"SHA256", "sha256"},
      {"SHA384", "sha384"}, {"SHA512", "sha512"}, {"SHA512_224", "sha512-224"}, {"SHA512_256", "sha512-256"},
  };
  CueStr name = cue_arg_str(c, 0), out;
  for (size_t i = 0; i < CUE_COUNT(known); i++)
    if (cue_str_is(name, known[i].name) && cue_hmac(c->a, known[i].algo, cue_arg_str(c, 1), cue_arg_str(c, 2), &out))
      return cue_bytes(out);
  return cue_fail(c, "unsupported hash function");
}

static CueValue fn_valid(CueCall *c) {
  CueStr key = cue_arg_str(c, 0);
  if (key.n != 32) return cue_fail(c, "ed25519: publicKey must be 32 bytes");
  return cue_bool(cue_ed25519_verify(key, cue_arg_str(c, 1), cue_arg_str(c, 2)));
}

static const CueBuiltin md5_functions[] = {{"Sum", "S", 'S', fn_md5}};
static const CueBuiltin sha1_functions[] = {{"Sum", "S", 'S', fn_sha1}};
static const CueBuiltin sha256_functions[] = {{"Sum256", "S", 'S', fn_sha256}, {"Sum224", "S", 'S', fn_sha224}};
static const CueBuiltin sha512_functions[] = {
    {"Sum512", "S", 'S', fn_sha512},
    {"Sum384", "S", 'S', fn_sha384},
    {"Sum512_224", "S", 'S', fn_sha512_224},
    {"Sum512_256", "S", 'S', fn_sha512_256},
};
static const CueBuiltin hmac_functions[] = {{"Sign", "sSS", 'S', fn_sign}};
static const CueBuiltin ed25519_functions[] = {{"Valid", "SSS", 'b', fn_valid}};

const CueBuiltinPackage cue_pkg_crypto_md5 = {"crypto/md5", md5_functions, CUE_COUNT(md5_functions),
                                              "Size: 16, BlockSize: 64", true};
const CueBuiltinPackage cue_pkg_crypto_sha1 = {"crypto/sha1", sha1_functions, CUE_COUNT(sha1_functions),
                                               "Size: 20, BlockSize: 64", true};
const CueBuiltinPackage cue_pkg_crypto_sha256 = {"crypto/sha256", sha256_functions, CUE_COUNT(sha256_functions),
                                                 "Size: 32, Size224: 28, BlockSize: 64", true};
const CueBuiltinPackage cue_pkg_crypto_sha512 = {"crypto/sha512", sha512_functions, CUE_COUNT(sha512_functions),
                                                 "Size: 64, Size224: 28, Size256: 32, Size384: 48, BlockSize: 128",
                                                 true};
const CueBuiltinPackage cue_pkg_crypto_hmac = {
    "crypto/hmac",
    hmac_functions,
    CUE_COUNT(hmac_functions),
    "MD5: \"MD5\", SHA1: \"SHA1\", SHA224: \"SHA224\", SHA256: \"SHA256\", SHA384: \"SHA384\", SHA512: \"SHA512\", "
    "SHA512_224: \"SHA512_224\", SHA512_256: \"SHA512_256\"",
    true,
};
const CueBuiltinPackage cue_pkg_crypto_ed25519 = {"crypto/ed25519", ed25519_functions, CUE_COUNT(ed25519_functions),
                                                  "PublicKeySize: 32", true};
