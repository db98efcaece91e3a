import type { Temporal as TemporalApi } from 'temporal-polyfill'

const native = (globalThis as { Temporal?: typeof TemporalApi }).Temporal

/**
 * The browser's own Temporal, or the polyfill where it is missing. Vite replaces `temporal-polyfill` by this file, so that `core` uses the
 * same object and browsers with Temporal load nothing. Files of this folder import `temporal-polyfill`, which has the types too.
 */
export const Temporal: typeof TemporalApi = native ?? (await import('temporal-polyfill/implementation')).Temporal
