import type { Capabilities, Client } from '../kit/connector.ts'

/** People may refuse single permissions. What follows from that need not be asked of Facebook. */
export const capabilities = {
  currentMs: 60_000,
  async read({ credentials: { scopes } }: Client): Promise<Capabilities> {
    const canComment = scopes === undefined || scopes.includes('pages_manage_engagement')
    return { rules: { ...(!canComment && { can: { firstComment: false } }) } }
  },
}
