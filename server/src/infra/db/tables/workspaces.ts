import type { ApprovalRule, LinkRule, Plan, PostingLimits, Role } from '@carillon/contract'
import type { ColumnType, Generated } from 'kysely'
import type { ExternalColumns, Instant, Json, MaybeInstant } from './columns.ts'

export type WorkspaceTable = ExternalColumns & {
  id: string
  name: string
  slug: string
  plan: Plan
  timezone: string
  hold_if_late_minutes: number | null
  /** Whose posts wait for an approval, with the next column; `ruleOf` in infra/http/principal.ts reads both. */
  approval: Exclude<ApprovalRule, 'agents'>
  agents_need_approval: boolean
  /** Where connect links may send people afterwards. */
  return_origins: string[]
  /** Which links of posts get parameters, and which. */
  utm: Json<LinkRule | null> | null
  created_at: Instant
  updated_at: Instant
}

export type MemberTable = {
  workspace_id: string
  person_id: string
  role: Role
  joined_at: Instant
  account_webhooks_shut_out: Generated<boolean>
}

export type ApiKeyTable = {
  workspace_id: string
  id: string
  person_id: string
  label: string
  prefix: string
  hash: Buffer
  scopes: string[] | null
  workspace_only: boolean
  expires_at: MaybeInstant
  created_at: Instant
  last_used_at: MaybeInstant
  agent: Generated<boolean>
  limits: ColumnType<PostingLimits | null, string | null | undefined, never>
  /** The day of the workspace's time zone on which the key released `released_posts`. Only a key with a number of posts a day has them. */
  released_on: Generated<string | null>
  released_posts: Generated<string[] | null>
  /** How many workspaces it may create. */
  workspaces_max: Generated<number | null>
  workspaces_created: Generated<number>
}

export type UsageMonthTable = { workspace_id: string; month: string; shard: number; posts: number }

/** `tokens` is a bigint, which pg returns as text. */
export type AiUsageMonthTable = { workspace_id: string; month: string; tokens: string }
