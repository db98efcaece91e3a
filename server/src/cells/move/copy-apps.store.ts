import type pg from 'pg'
import { resealFor } from '../../infra/sealing/seal.ts'
import type { SecretKeys } from '../../infra/sealing/secret-keys.ts'

type AppRow = {
  platform: string
  instance_url: string
  redirect_url: string
  client_id: string
  client_secret_sealed: Buffer
  proven_at: Date | null
  created_at: Date
}

type Copy = { source: pg.Client; target: pg.Client; workspaceId: string; keys: { from: SecretKeys; to: SecretKeys } }

/** The registrations at the instances of its accounts: a token can be renewed only with the app that it was issued to. */
export async function copyInstanceApps({ source, target, workspaceId, keys }: Copy): Promise<void> {
  const { rows } = await source.query<AppRow>(
    `select a.* from instance_app a
     where exists (
       select from connection c where c.workspace_id = $1 and c.platform = a.platform and c.instance_url = a.instance_url)`,
    [workspaceId],
  )
  for (const app of rows) {
    const place = { workspaceId: '', rowId: `${app.platform} ${app.instance_url}`, column: 'client_secret' }
    await target.query(
      `insert into instance_app (platform, instance_url, redirect_url, client_id, client_secret_sealed, proven_at, created_at)
       values ($1, $2, $3, $4, $5, $6, $7)
       on conflict do nothing`,
      [
        app.platform,
        app.instance_url,
        app.redirect_url,
        app.client_id,
        resealFor(keys, place, app.client_secret_sealed),
        app.proven_at,
        app.created_at,
      ],
    )
  }
}

type PlatformAppRow = { platform: string; client_id: string; client_secret_sealed: Buffer; is_vetted: boolean; entered_at: Date }

/**
 * The developer apps that its accounts were connected with, if an operator entered them in the web app. In the target they count as
 * replaced: new accounts are connected with the app of that cell.
 */
export async function copyPlatformApps({ source, target, workspaceId, keys }: Copy): Promise<void> {
  const { rows } = await source.query<PlatformAppRow>(
    `select a.* from platform_app a
     where exists (
       select from connection c where c.workspace_id = $1 and c.platform = a.platform and c.client_id = a.client_id)`,
    [workspaceId],
  )
  for (const app of rows) {
    const place = { workspaceId: '', rowId: `${app.platform} ${app.client_id}`, column: 'client_secret' }
    await target.query(
      `insert into platform_app (platform, client_id, client_secret_sealed, is_vetted, entered_at, replaced_at)
       values ($1, $2, $3, $4, $5, now())
       on conflict do nothing`,
      [app.platform, app.client_id, resealFor(keys, place, app.client_secret_sealed), app.is_vetted, app.entered_at],
    )
  }
}
