import type { ApprovalRule, Plan, PostingLimits, Role } from '@carillon/contract'

/** What narrows an API key beyond the role of its creator. A session is not narrowed. */
export type KeyLimits = {
  scopes: readonly string[] | null
  workspaceOnly: boolean
  expiresAt: Date | null
  /** Null for a session, and for a key without them. */
  posting: PostingLimits | null
}

/** A person in a workspace. `approval` says whose posts wait for an approval there. */
export type Membership = { role: Role; plan: Plan; approval: ApprovalRule }

/** The caller of a request: a person, with an API key or a session, in one workspace. */
export type Principal = Membership & {
  personId: string
  /** Null for a session. */
  apiKeyId: string | null
  /** The workspace in which the key was created. */
  keyWorkspaceId: string | null
  limits: KeyLimits
  /** Empty for a session that calls an endpoint which belongs to no workspace. */
  workspaceId: string
}
