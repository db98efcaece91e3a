import type { Capabilities, Connector } from '@carillon/connectors'
import type { Manifest, SettingChoices } from '@carillon/contract'
import { rulesOfAccount } from '@carillon/core'
import type { ConnectionRow } from '../connection.store.ts'

export type StoredCapabilities = Pick<ConnectionRow, 'capabilities' | 'capabilities_at'>

/** The rules that hold for one account. */
export type RulesOfAccount = Manifest & { choices?: SettingChoices; needs?: readonly string[] }

/** What is stored about the account, if posts are still checked with it. */
export function bindingCapabilities(connector: Connector, row: StoredCapabilities, nowMs: number): Capabilities | null {
  const { capabilities, capabilities_at: at } = row
  if (!connector.capabilities || !capabilities || !at) return null
  const { bindsMs = Infinity } = connector.capabilities
  return nowMs - at.getTime() <= bindsMs ? capabilities : null
}

/** The rules for the posts of one account: the only place that looks them up, for checks and for files alike. */
export function rulesOf(connector: Connector, row: StoredCapabilities, nowMs: number): RulesOfAccount {
  const known = bindingCapabilities(connector, row, nowMs)
  const rules = rulesOfAccount<RulesOfAccount>(connector.manifest, known?.rules ?? null)
  // What an account needed the last time is asked for until it is known better: a choice too many harms nobody.
  const needs = connector.capabilities ? row.capabilities?.rules.needs : undefined
  return needs ? { ...rules, needs } : rules
}

export function isCurrent(connector: Connector, { capabilities_at: at }: StoredCapabilities, nowMs: number): boolean {
  return !connector.capabilities || (at !== null && nowMs - at.getTime() <= connector.capabilities.currentMs)
}

/** At the earliest, a post makes Carillon ask again what it knows already. */
const askForPostsMs = 3_600_000

/**
 * Whether a post is reason to ask again. Never for an account of which nothing is known: then somebody connects it or opens the composer. Nor
 * for answers that posts are checked with for a while only.
 */
export function isWorthAsking(connector: Connector, { capabilities_at: at }: StoredCapabilities, nowMs: number): boolean {
  if (!connector.capabilities || at === null || connector.capabilities.bindsMs !== undefined) return false
  return nowMs - at.getTime() > Math.max(connector.capabilities.currentMs, askForPostsMs)
}
