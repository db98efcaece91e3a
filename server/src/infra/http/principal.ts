import type { Plan, Role } from '@carillon/contract'

/** The caller of a request: a person, with an API key or a session, in one workspace. */
export type Principal = {
  personId: string
  /** Null for a session. */
  apiKeyId: string | null
  /** The workspace in which the key was created. */
  keyWorkspaceId: string | null
  /** Empty for a session that calls an endpoint which belongs to no workspace. */
  workspaceId: string
  role: Role
  plan: Plan
}
