// What a test file gets for `vitest`: Vite loads this file apart from the runner, so the functions come by the global.
export const { describe, test, it, beforeAll, beforeEach, afterAll, afterEach, expect, expectTypeOf, vi } = globalThis.kilnStandIn
