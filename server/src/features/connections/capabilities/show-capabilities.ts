import {
  type Capabilities as Shown,
  type Capabilities,
  type Manifest,
  type MediaRules,
  type PlatformMedia,
  isPlatform,
} from '@carillon/contract'
import { listDifferences } from '@carillon/core'
import type { Context } from '../../../context.ts'
import { problem } from '../../../infra/problem/problem.ts'
import { type ConnectionRow, findConnection } from '../connection.store.ts'
import { connectorOf } from '../connector-of.ts'
import type { ConnectionKey } from '../jobs.ts'
import { bindingCapabilities, isCurrent, rulesOf } from './known-capabilities.ts'
import { learnCapabilities } from './learn-capabilities.ts'

/** The longest that a person waits for a platform. A later answer is stored all the same. */
const waitMsMax = 6_000

/** What the account may do, from the platform itself unless that was asked a short while ago. No transaction is open while it answers. */
export async function showCapabilities(ctx: Context, key: ConnectionKey): Promise<Shown> {
  const row = await load(ctx, key)
  if (isCurrent(connectorOf(ctx, row.platform), row, ctx.nowMs())) return present(ctx, row)
  let timer: NodeJS.Timeout | undefined
  const waited = new Promise<void>((resolve) => (timer = setTimeout(resolve, waitMsMax)))
  await Promise.race([learnCapabilities(ctx, key), waited])
  clearTimeout(timer)
  return present(ctx, await load(ctx, key))
}

async function load(ctx: Context, { workspaceId, id }: ConnectionKey): Promise<ConnectionRow> {
  const row = await ctx.db.readOnly(workspaceId, (tx) => findConnection(tx, workspaceId, id))
  if (!row || !isPlatform(row.platform)) throw problem('connection_not_found')
  return row
}

function present(ctx: Context, row: ConnectionRow): Shown {
  const connector = connectorOf(ctx, row.platform)
  const nowMs = ctx.nowMs()
  const known = bindingCapabilities(connector, row, nowMs)
  const rules = rulesOf(connector, row, nowMs)
  const areCurrent = isCurrent(connector, row, nowMs)
  const choices = Object.entries(rules.choices ?? {}).map(([name, values]): [string, (typeof values)[number][]] => [
    name,
    [...values],
  ])
  return {
    connectionId: row.id,
    platform: rules.platform,
    learnedAt: connector.capabilities ? (row.capabilities_at?.toISOString() ?? null) : null,
    isCurrent: areCurrent,
    differs: listDifferences(connector.manifest, known?.rules ?? null),
    ...presentRules(rules),
    choices: Object.fromEntries(choices),
    needs: [...(rules.needs ?? [])],
    name: row.capabilities?.name ?? null,
    blocked: areCurrent ? (known?.blocked ?? null) : null,
  }
}

type ShownRules = Pick<Capabilities, 'formats' | 'text' | 'photos' | 'video' | 'altText' | 'can'>

/** The rules of a platform or of one account in the API shape. */
export function presentRules({ formats, text, photos, video, altText, can }: Manifest): ShownRules {
  const { refused, ...textRules } = text
  return {
    formats: [...formats],
    text: { ...textRules, countedSettings: [...text.countedSettings], ...(refused && { refused: [...refused] }) },
    photos: presentMedia(photos),
    video: presentMedia(video),
    altText: { kinds: [...altText.kinds], max: altText.max },
    can: { ...can },
  }
}

export function presentMedia(rules: MediaRules | null): PlatformMedia | null {
  return rules && { ...rules, mimeTypes: [...rules.mimeTypes] }
}
