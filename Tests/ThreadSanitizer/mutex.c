// What the thread sanitizer has to be told about Swift's Mutex.
//
// Its fast paths are compiled into the tests, where the sanitizer sees their atomics. When two threads meet, both go
// through the slow paths in the standard library, which was compiled without the sanitizer: what one thread did before it
// unlocked then looks unordered with what the next does after it locked. This library, loaded before the standard one,
// stands between and says so.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define SWIFT __attribute__((swiftcall))
#define SELF __attribute__((swift_context))

// Weak, as a program without the sanitizer may be started with it loaded.
extern void __tsan_acquire(void *address) __attribute__((weak));
extern void __tsan_release(void *address) __attribute__((weak));

// Synchronization._MutexHandle._lockSlow(UInt32), _tryLockSlow() and _unlockSlow(), as the compiler names them.
#define LOCK "$s15Synchronization12_MutexHandleV9_lockSlowyys6UInt32VF"
#define TRY_LOCK "$s15Synchronization12_MutexHandleV12_tryLockSlowSbyF"
#define UNLOCK "$s15Synchronization12_MutexHandleV11_unlockSlowyyF"

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) __asm__(LOCK);
SWIFT bool try_lock_slow(SELF void *mutex) __asm__(TRY_LOCK);
SWIFT void unlock_slow(SELF void *mutex) __asm__(UNLOCK);

SWIFT void lock_slow(uint32_t thread, SELF void *mutex) {
  SWIFT void (*next)(uint32_t, SELF void *) = (SWIFT void (*)(uint32_t, SELF void *))dlsym(RTLD_NEXT, LOCK);
  next(thread, mutex);
  if (__tsan_acquire) __tsan_acquire(mutex);
}

SWIFT bool try_lock_slow(SELF void *mutex) {
  SWIFT bool (*next)(SELF void *) = (SWIFT bool (*)(SELF void *))dlsym(RTLD_NEXT, TRY_LOCK);
  bool locked = next(mutex);
  if (locked && __tsan_acquire) __tsan_acquire(mutex);
  return locked;
}

SWIFT void unlock_slow(SELF void *mutex) {
  SWIFT void (*next)(SELF void *) = (SWIFT void (*)(SELF void *))dlsym(RTLD_NEXT, UNLOCK);
  if (__tsan_release) __tsan_release(mutex);
  next(mutex);
}
