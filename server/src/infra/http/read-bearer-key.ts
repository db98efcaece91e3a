const scheme = /^bearer +(\S+)$/i
const keyLengthMax = 200

/** The key of an `Authorization` header of the form `Bearer <key>`; null for any other header, also if something follows the key. */
export function readBearerKey(authorization: string | undefined): string | null {
  if (authorization === undefined || authorization.length > keyLengthMax) return null
  return scheme.exec(authorization)?.[1] ?? null
}
