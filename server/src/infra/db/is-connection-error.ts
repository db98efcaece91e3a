/** SQLSTATE classes of a database that is away, overloaded or cut off, and Node's codes of a lost connection. */
const awayCodes = /^(?:08|25P03|40|53|55P03|57|58|ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/

/** True when the database could not be reached or asked to be tried again: then nothing is wrong with the values. */
export function isConnectionError(error: unknown): boolean {
  const { code, message } = error as { code?: unknown; message?: unknown }
  if (typeof code === 'string') return awayCodes.test(code)
  return typeof message === 'string' && /connection|timeout/i.test(message)
}
