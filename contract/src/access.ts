/** Ordered from the most to the least powerful. The order is used by `roleAllows` in core. */
export const roles = ['owner', 'admin', 'editor', 'viewer'] as const
export type Role = (typeof roles)[number]

export const scopes = [
  'content:read',
  'content:write',
  'content:draft',
  'content:publish',
  'content:approve',
  'media:read',
  'media:write',
  'ai:read',
  'ai:write',
  'analytics:read',
  'analytics:write',
  'webhooks:read',
  'webhooks:write',
  'connections:invite',
  'workspaces:read',
  'workspaces:write',
  'workspaces:create',
] as const
export type Scope = (typeof scopes)[number]

/** The scopes that an API key can be given: a single scope, or all scopes of a subject. */
export const grantableScopes = [
  ...scopes,
  'content:*',
  'media:*',
  'ai:*',
  'analytics:*',
  'webhooks:*',
  'connections:*',
  'workspaces:*',
] as const

/**
 * Whose posts wait until another person approves them; the strictest rule is the last. An agent is a key that is marked as one, and every program
 * that a person connected; a program is whatever uses a key.
 */
export const approvalRules = ['none', 'agents', 'programs', 'editors', 'everyone'] as const
export type ApprovalRule = (typeof approvalRules)[number]

export const plans = ['free', 'pro', 'business'] as const
export type Plan = (typeof plans)[number]
