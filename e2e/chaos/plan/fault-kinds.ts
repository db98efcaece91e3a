/**
 * Faults of the stack. Each seed gets the next two of this list, so twelve seeds in a row contain all of them; neighbours are chosen so
 * that a seed gets faults of different parts.
 */
export const stackFaultKinds = [
  'kill worker',
  'slow database',
  'pause worker',
  'webhooks hang',
  'kill database',
  'clock ahead',
  'kill engine',
  'cut database',
  'rolling deploy',
  'webhooks fail',
  'partition database',
  'kill api',
  'pause engine',
  'clock behind',
  'half-open database',
  'pause api',
  'wipe engine',
  'slow engine',
  'cut engine',
  'pause database',
  'partition engine',
  'half-open engine',
  'long pause',
] as const

/** These come in addition, in one of twelve seeds each. */
export const seldomFaultKinds = [
  'foreign row',
  'crowded database',
  'set back engine',
  'backup',
  'backlog',
  'disk full',
  'tarpit',
] as const
export type StackFaultKind = (typeof stackFaultKinds)[number] | (typeof seldomFaultKinds)[number]

/** Faults of a platform's call that publishes. */
export const submitFaultKinds = [
  'refusal',
  'drop before',
  'drop after',
  'error before',
  'error after',
  'rate limit',
  'late call',
  'late answer',
  'slow body',
  'huge body',
  'garbage before',
  'garbage after',
  'hang before',
  'hang after',
  'malformed',
  'expired token',
] as const
export type SubmitFaultKind = (typeof submitFaultKinds)[number]

/** Faults of the other calls, and of all calls of an account. */
export const otherFaultKinds = [
  'find fails',
  'stage fails',
  'check fails',
  'outage',
  'delay beyond lease',
  'late commit',
] as const
type OtherFaultKind = (typeof otherFaultKinds)[number]
export type PlatformFaultKind = SubmitFaultKind | OtherFaultKind

export const tokenFaultKinds = ['token expires', 'renewal fails', 'token revoked'] as const
export type TokenFaultKind = (typeof tokenFaultKinds)[number]
