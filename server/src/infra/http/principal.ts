import type { Plan, Role } from '@carillon/contract'

/** Who is asking: a person, through a key or signed in, in one workspace. */
export type Principal = {
  personId: string
  /** Null for somebody who is signed in. */
  apiKeyId: string | null
  /** The workspace the key was made in. */
  keyWorkspaceId: string | null
  /** Empty for somebody who is signed in and asks above the workspaces. */
  workspaceId: string
  role: Role
  plan: Plan
}
