import { sql } from 'kysely'

/**
 * Whether the account of the member `m` receives events of the workspace: nobody below admin, and nobody whom an owner has shut out. Asked when
 * events are planned and again at each attempt, so that it is true of that moment.
 */
export const receives = sql<boolean>`(m.role in ('owner', 'admin') and not m.account_webhooks_shut_out)`
