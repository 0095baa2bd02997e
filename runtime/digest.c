/* digest.c - digests over OpenSSL.
**
** Algorithms are looked up in a table of our own, so that OpenSSL's registry, and all it
** would load, stays out of the program. Even so the first digest by way of EVP sets up half of
** libcrypto, which takes longer than all else about a UUID; the common ones are called directly,
** which OpenSSL calls deprecated.
**
** A statically linked libcrypto asks the processor what it can do before main(), by instructions
** that are slow in a virtual machine: a tenth of our start. The Makefile has the linker send that
** call to the wrapper below (--wrap). The C library has asked the same before, and keeps the answers: where it tells them,
** libcrypto gets them from there when a digest is first used (the vector is that of OPENSSL_ia32cap(3)), and where it does
** not, the call is made then.
*/
#define OPENSSL_SUPPRESS_DEPRECATED
#include "runtime/digest.h"

#include <limits.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/md5.h>
#include <openssl/sha.h>
#include <string.h>

void __wrap_OPENSSL_cpuid_setup(void);
void __wrap_OPENSSL_cpuid_setup(void) {}
extern void __real_OPENSSL_cpuid_setup(void) __attribute__((weak)); /* absent where nothing is wrapped */

#if defined(__x86_64__) && defined(__has_include) && __has_include(<sys/platform/x86.h>)
#include <stdlib.h>
#include <sys/platform/x86.h>

extern unsigned OPENSSL_ia32cap_P[4] __attribute__((weak));

/* Registers of the two questions, and what OpenSSL marks in them: that they were asked, nothing of maker and threads. */
static bool know_processor(void) {
  enum { EBX = 1, ECX, EDX };
  const unsigned asked = 1u << 10, kept_free = 1u << 20 | 1u << 28 | 1u << 30, made_up = 1u << 11;
  unsigned *vector = OPENSSL_ia32cap_P;
  if (!vector || getenv("OPENSSL_ia32cap")) return false;
  const unsigned *basic = __x86_get_cpuid_feature_leaf(CPUID_INDEX_1)->active_array,
                 *more = __x86_get_cpuid_feature_leaf(CPUID_INDEX_7)->active_array;
  vector[0] = (basic[EDX] & ~kept_free) | asked;
  vector[1] = basic[ECX] & ~made_up;
  vector[2] = more[EBX];
  vector[3] = more[ECX];
  return true;
}
#else
static bool know_processor(void) { return false; }
#endif

static void setup(void) {
  static _Thread_local bool done;
  if (done || !__real_OPENSSL_cpuid_setup) return;
  done = true;
  if (!know_processor()) __real_OPENSSL_cpuid_setup(); /* looks only once */
}

typedef void Direct(CueStr data, unsigned char *out);
#define DIRECT(name, Context, init, update, final)    \
  static void name(CueStr data, unsigned char *out) { \
    Context c;                                        \
    init(&c);                                         \
    update(&c, data.s, data.n);                       \
    final(out, &c);                                   \
  }
DIRECT(direct_md5, MD5_CTX, MD5_Init, MD5_Update, MD5_Final)
DIRECT(direct_sha1, SHA_CTX, SHA1_Init, SHA1_Update, SHA1_Final)
DIRECT(direct_sha256, SHA256_CTX, SHA256_Init, SHA256_Update, SHA256_Final)
DIRECT(direct_sha512, SHA512_CTX, SHA512_Init, SHA512_Update, SHA512_Final)

typedef struct {
  const char *name;
  const EVP_MD *(*get)(void);
  Direct *direct; /* NULL: by way of EVP */
  unsigned size;  /* of what it makes */
} Algorithm;

static const Algorithm *find(const char *algo) {
  static const Algorithm known[] = {
      {"md5", EVP_md5, direct_md5, MD5_DIGEST_LENGTH},
      {"sha1", EVP_sha1, direct_sha1, SHA_DIGEST_LENGTH},
      {"sha224", EVP_sha224, NULL, 0},
      {"sha256", EVP_sha256, direct_sha256, SHA256_DIGEST_LENGTH},
      {"sha384", EVP_sha384, NULL, 0},
      {"sha512", EVP_sha512, direct_sha512, SHA512_DIGEST_LENGTH},
      {"sha512-224", EVP_sha512_224, NULL, 0},
      {"sha512-256", EVP_sha512_256, NULL, 0},
  };
  setup();
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (strcmp(known[i].name, algo) == 0) return &known[i];
  return NULL;
}

static CueStr keep(CueArena *a, const unsigned char *bytes, unsigned n) {
  return cue_str_copy(a, (CueStr){(const char *)bytes, n});
}

bool cue_digest(CueArena *a, const char *algo, CueStr data, CueStr *out) {
  const Algorithm *x = find(algo);
  unsigned char bytes[EVP_MAX_MD_SIZE];
  if (!x) return false;
  unsigned n = x->size;
  if (!data.n) data.s = "";
  if (x->direct)
    x->direct(data, bytes);
  else if (!EVP_Digest(data.s, data.n, bytes, &n, x->get(), NULL))
    return false;
  *out = keep(a, bytes, n);
  return true;
}

bool cue_hmac(CueArena *a, const char *algo, CueStr key, CueStr data, CueStr *out) {
  const Algorithm *x = find(algo);
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned n = 0;
  if (!x || key.n > INT_MAX) return false;
  if (!HMAC(x->get(), key.n ? key.s : "", (int)key.n, (const unsigned char *)(data.n ? data.s : ""), data.n, bytes, &n))
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
