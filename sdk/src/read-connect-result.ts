import { decodeBase64, decodeHex, encodeUtf8 } from './bytes.ts'
import { hmacMatches } from './hmac-matches.ts'

/** How a person came back from a connect link. */
export type ConnectResult = {
  linkId: string
  workspaceId: string
  state: 'connected' | 'cancelled' | 'failed'
  /** Null if nothing was connected. */
  connectionId: string | null
  externalId: string | null
  /** When it was signed. An address can be opened again, so handle each link once. */
  at: string
}

/**
 * Reads the result with which a person comes back from a connect link to your `returnUrl`. Null if it is not signed with the `returnSecret` of
 * that link.
 */
export async function readConnectResult(url: string | URL, returnSecret: string): Promise<ConnectResult | null> {
  if (returnSecret === '') throw new TypeError('The secret of the link is empty.')
  const { searchParams } = new URL(url)
  const result = searchParams.get('carillon_result') ?? ''
  const signature = decodeHex(searchParams.get('carillon_signature') ?? '')
  if (!signature || !(await hmacMatches(encodeUtf8(returnSecret), signature, [encodeUtf8(result)]))) return null
  const bytes = decodeBase64(result.replaceAll('-', '+').replaceAll('_', '/'))
  return bytes ? (JSON.parse(new TextDecoder().decode(bytes)) as ConnectResult) : null
}
