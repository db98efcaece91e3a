import type { Locator, Page } from 'playwright-core'
import { queryDatabase } from '../../support/query-database.ts'

export async function openIntegrations(page: Page, { workspaceId }: { workspaceId: string }): Promise<void> {
  await page.goto(`/w/${workspaceId}/integrations`)
  await page.getByRole('heading', { level: 3 }).first().waitFor()
}

/** The card of an account, found by a part of its text. */
export function cardOf(page: Page, text: string): Locator {
  return page.getByRole('region', { name: 'Accounts' }).getByRole('listitem').filter({ hasText: text })
}

/** What the engine stores after the platform has refused a token. Journeys let the simulator refuse it; pictures need only the state. */
export async function markNeedsReconnect(workspaceId: string, platform: string): Promise<void> {
  await queryDatabase(
    `update connection
     set status = 'needs_reconnect', status_code = 'token_refused', status_reason = 'Error validating access token.'
     where platform = $1 and workspace_id = $2`,
    [platform, workspaceId],
  )
}
