/** From the most to the least powerful. */
export const roles = ['owner', 'admin', 'editor', 'viewer'] as const
export type Role = (typeof roles)[number]

export const scopes = [
  'content:read',
  'content:write',
  'media:read',
  'media:write',
  'ai:read',
  'ai:write',
  'analytics:read',
  'analytics:write',
  'webhooks:read',
  'webhooks:write',
  'workspaces:read',
  'workspaces:write',
] as const
export type Scope = (typeof scopes)[number]

/** What a key may be given: a scope, or every scope of a subject. */
export const grantableScopes = [...scopes, 'content:*', 'media:*', 'ai:*', 'analytics:*', 'webhooks:*', 'workspaces:*'] as const

export const plans = ['free', 'pro', 'business'] as const
export type Plan = (typeof plans)[number]
