import type { Capabilities, Client } from '../kit/connector.ts'
import { isPage } from './rest.ts'

/** Follows from the kind of account and the permissions that were granted, so that LinkedIn need not be asked. */
export const capabilities = {
  currentMs: 60_000,
  async read({ account, credentials: { scopes } }: Client): Promise<Capabilities> {
    const isOfPage = isPage(account.id)
    const commentScope = isOfPage ? 'w_organization_social_feed' : 'w_member_social_feed'
    return {
      rules: {
        // A page has followers and no connections.
        ...(isOfPage && { choices: { visibility: ['PUBLIC', 'LOGGED_IN'] } }),
        ...(scopes && !scopes.includes(commentScope) && { can: { firstComment: false } }),
      },
    }
  },
}
