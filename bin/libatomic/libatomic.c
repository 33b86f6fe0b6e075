/*
 * The one function of libatomic that Node 25 and later ask for, for systems that have no libatomic.so.1. The compiled libraries
 * beside this file are made by (test/bin/libatomic.test.ts makes them again and compares):
 *
 *   gcc -Os -fPIC -shared -nostdlib -ffreestanding -fno-asynchronous-unwind-tables -fno-stack-protector -fno-tree-loop-distribute-patterns
 *     -mno-outline-atomics (arm64 alone) -Wl,-soname,libatomic.so.1 -Wl,--version-script,libatomic.map -Wl,-z,noseparate-code
 *     -Wl,-z,norelro -Wl,--build-id=none -s
 *
 * V8 calls it with eight aligned bytes. Everything else is guarded by one lock, which is enough because nothing but this function
 * touches such an object: Node imports no other function of the library.
 */
#include <stddef.h>
#include <stdint.h>

_Bool compare_exchange(size_t size, void *object, void *expected, const void *desired, int success, int failure) __asm__(
    "__atomic_compare_exchange");

static int lock;

static _Bool compare_exchange_locked(size_t size, unsigned char *object, unsigned char *expected, const unsigned char *desired) {
  _Bool same = 1;
  while (__atomic_exchange_n(&lock, 1, __ATOMIC_SEQ_CST))
    ;
  for (size_t i = 0; i < size; i++) same &= object[i] == expected[i];
  for (size_t i = 0; i < size; i++)
    if (same)
      object[i] = desired[i];
    else
      expected[i] = object[i];
  __atomic_store_n(&lock, 0, __ATOMIC_SEQ_CST);
  return same;
}

#define WITHOUT_A_LOCK(type) \
  return __atomic_compare_exchange_n((type *)object, (type *)expected, *(const type *)desired, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)

_Bool compare_exchange(size_t size, void *object, void *expected, const void *desired, int success, int failure) {
  (void)success; /* The strictest order is always right. */
  (void)failure;
  if (((uintptr_t)object & (size - 1)) == 0) switch (size) {
      case 1: WITHOUT_A_LOCK(uint8_t);
      case 2: WITHOUT_A_LOCK(uint16_t);
      case 4: WITHOUT_A_LOCK(uint32_t);
      case 8: WITHOUT_A_LOCK(uint64_t);
    }
  return compare_exchange_locked(size, object, expected, desired);
}
