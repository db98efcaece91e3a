import type { ApprovalRule, Plan, PostingLimits, Role } from '@carillon/contract'
import { needsApproval } from '@carillon/core'

/** What narrows an API key beyond the role of its creator. A session is not narrowed. */
export type KeyLimits = {
  scopes: readonly string[] | null
  workspaceOnly: boolean
  expiresAt: Date | null
  /** Null for a session, and for a key without them. */
  posting: PostingLimits | null
  /** The key is marked as one of an agent, or a person connected the program. */
  isAgent: boolean
}

/** A person in a workspace. `approval` says whose posts wait for an approval there. */
export type Membership = { role: Role; plan: Plan; approval: ApprovalRule }

type StoredRule = { approval: Exclude<ApprovalRule, 'agents'>; agents_need_approval: boolean }

/** The rule that two columns of a workspace amount to. */
export function ruleOf({ approval, agents_need_approval: isForAgents }: StoredRule): ApprovalRule {
  return approval === 'none' && isForAgents ? 'agents' : approval
}

/** The columns that amount to a rule. */
export function storedRule(rule: ApprovalRule): StoredRule {
  return { approval: rule === 'agents' ? 'none' : rule, agents_need_approval: rule !== 'none' }
}

/** The membership in a row that was joined with the member and the workspace, if there are any. */
export function membershipOf(
  row: { role: Role | null; plan: Plan | null } & { [Column in keyof StoredRule]: StoredRule[Column] | null },
) {
  const { role, plan, approval, agents_need_approval: isForAgents } = row
  if (!role || !plan || !approval) return null
  return { role, plan, approval: ruleOf({ approval, agents_need_approval: isForAgents ?? true }) } satisfies Membership
}

/** Must another person approve what this caller publishes? */
export function callerNeedsApproval({ approval, role, apiKeyId, limits }: Principal): boolean {
  return needsApproval(approval, { role, isProgram: apiKeyId !== null, isAgent: limits.isAgent })
}

/** The caller of a request: a person, with an API key or a session, in one workspace. */
export type Principal = Membership & {
  personId: string
  /** The id of the key, or of the grant with which a program acts for the person. Null for a session. */
  apiKeyId: string | null
  /** The workspace in which the key was created, or for which the grant is. */
  keyWorkspaceId: string | null
  limits: KeyLimits
  /** Empty for a session that calls an endpoint which belongs to no workspace. */
  workspaceId: string
}
