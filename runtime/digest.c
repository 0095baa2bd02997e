/* digest.c - digests over OpenSSL's EVP.
**
** Algorithms are looked up in a table of our own, so that OpenSSL's registry, and all it
** would load, stays out of the program.
**
** A statically linked libcrypto asks the processor what it can do before main(), by instructions
** that are slow in a virtual machine: a tenth of our start. The Makefile has the linker send that
** call to the wrapper below (--wrap), and digests make it when they are first used.
*/
#include "runtime/digest.h"

#include <limits.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <string.h>

void __wrap_OPENSSL_cpuid_setup(void);
void __wrap_OPENSSL_cpuid_setup(void) {}
extern void __real_OPENSSL_cpuid_setup(void) __attribute__((weak)); /* absent where nothing is wrapped */

static void setup(void) {
  if (__real_OPENSSL_cpuid_setup) __real_OPENSSL_cpuid_setup(); /* looks only once */
}

static const EVP_MD *find(const char *algo) {
  setup();
  static const struct {
    const char *name;
    const EVP_MD *(*get)(void);
  } known[] = {
      {"md5", EVP_md5},       {"sha1", EVP_sha1},     {"sha224", EVP_sha224},         {"sha256", EVP_sha256},
      {"sha384", EVP_sha384}, {"sha512", EVP_sha512}, {"sha512-224", EVP_sha512_224}, {"sha512-256", EVP_sha512_256},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].name, algo) == 0) return known[i].get();
  return NULL;
}

static CueStr keep(CueArena *a, const unsigned char *bytes, unsigned n) {
  return cue_str_copy(a, (CueStr){(const char *)bytes, n});
}

bool cue_digest(CueArena *a, const char *algo, CueStr data, CueStr *out) {
  const EVP_MD *md = find(algo);
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned n = 0;
  if (!md || !EVP_Digest(data.n ? data.s : "", data.n, bytes, &n, md, NULL)) return false;
  *out = keep(a, bytes, n);
  return true;
}

bool cue_hmac(CueArena *a, const char *algo, CueStr key, CueStr data, CueStr *out) {
  const EVP_MD *md = find(algo);
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned n = 0;
  if (!md || key.n > INT_MAX) return false;
  if (!HMAC(md, key.n ? key.s : "", (int)key.n, (const unsigned char *)(data.n ? data.s : ""), data.n, bytes, &n))
    return false;
  *out = keep(a, bytes, n);
  return true;
}

bool cue_ed25519_verify(CueStr key, CueStr data, CueStr sig) {
  setup();
  EVP_PKEY *pub = EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, NULL, (const unsigned char *)key.s, key.n);
  EVP_MD_CTX *ctx = EVP_MD_CTX_new();
  bool ok = pub && ctx && EVP_DigestVerifyInit(ctx, NULL, NULL, NULL, pub) == 1 &&
            EVP_DigestVerify(ctx, (const unsigned char *)sig.s, sig.n, (const unsigned char *)(data.n ? data.s : ""),
                             data.n) == 1;
  EVP_MD_CTX_free(ctx);
  EVP_PKEY_free(pub);
  return ok;
}

CueStr cue_hex(CueArena *a, CueStr bytes) {
  static const char digits[] = "0123456789abcdef";
  char *p = cue_alloc(a, bytes.n * 2 + 1);
  for (size_t i = 0; i < bytes.n; i++) {
    unsigned char c = (unsigned char)bytes.s[i];
    p[2 * i] = digits[c >> 4];
    p[2 * i + 1] = digits[c & 15];
  }
  return (CueStr){p, bytes.n * 2};
}
