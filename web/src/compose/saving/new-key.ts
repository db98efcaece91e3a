/** A random key. `crypto.randomUUID` exists only under HTTPS, and an install may be reached without it. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
