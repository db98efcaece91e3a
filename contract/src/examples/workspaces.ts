import type { ApiKey } from '../api-keys.ts'
import type { Connection } from '../connections.ts'
import type { Invitation } from '../invitations.ts'
import type { Member } from '../members.ts'
import type { AuditEntry } from '../audit.ts'
import type { Workspace, workspaces } from '../workspaces.ts'
import type { ExamplesOf } from './case.ts'
import { ids } from './posts.ts'

const workspace: Workspace = {
  id: ids.workspace,
  name: 'The Tower',
  slug: 'the-tower',
  plan: 'business',
  hasPlans: true,
  timezone: 'Europe/Berlin',
  holdIfLateMinutes: null,
  approval: 'none',
  role: 'owner',
  createdAt: '2026-11-14T12:43:14.000Z',
  usage: { count: 12, limit: -1, remaining: -1 },
  externalId: 'customer-1017',
  metadata: { segment: 'churches' },
}

export const bluesky: Connection = {
  id: ids.bluesky,
  slug: 'bluesky-tower.example',
  platform: 'bluesky',
  handle: 'tower.example',
  displayName: 'The Tower',
  avatarUrl: null,
  status: 'active',
  statusReason: null,
  statusCode: null,
  instanceUrl: null,
  scheduledChannels: 12,
  lastPublishedAt: '2026-11-16T08:00:00.412Z',
  capabilities: ['text', 'photo', 'photo_carousel', 'video'],
  connectedAt: '2026-11-14T12:51:16.000Z',
  expiresAt: null,
}

const apiKey: ApiKey = {
  id: '019331b0-04c2-7f7d-b1ac-9a7e55d0c3f1',
  prefix: 'sk_4fT9aZ2q',
  label: 'newsletter',
  scopes: ['content:read', 'content:write'],
  workspaceOnly: true,
  expiresAt: null,
  limits: { connections: ['linkedin-tower'], postsPerDay: 5, hours: { from: '08:00', to: '18:00' }, onDuplicate: 'refuse' },
  agent: false,
  createdAt: '2026-11-15T19:10:00.000Z',
  createdBy: { userId: '6735f0c29b1e8a0012ab34c0', name: 'Ada', email: 'ada@tower.example' },
  lastUsedAt: '2026-11-15T20:45:00.000Z',
}

const ada: Member = {
  userId: '6735f0c29b1e8a0012ab34c0',
  email: 'ada@tower.example',
  name: 'Ada',
  role: 'owner',
  joinedAt: '2026-11-14T12:43:14.000Z',
}

const invitation: Invitation = {
  id: '6737b4109b1e8a0012ab3510',
  email: 'ben@tower.example',
  role: 'editor',
  status: 'pending',
  mail: 'waiting',
  link: null,
  invitedBy: ada.userId,
  expiresAt: '2026-11-22T20:45:04.000Z',
  createdAt: '2026-11-15T20:45:04.000Z',
}

const entry: AuditEntry = {
  id: '019331d8-2c10-7a55-9c3e-0b6f2d1a7e44',
  at: '2026-11-15T20:45:04.000Z',
  action: 'invitation.create',
  subjectId: invitation.id,
  userId: ada.userId,
  email: ada.email,
  apiKeyId: apiKey.id,
  client: null,
  traceId: '019331d8-2c0f-7d0b-8a11-5f0e9d3c2b1a',
}

export const workspaceExamples: ExamplesOf<typeof workspaces> = {
  list: [{ returns: [workspace] }],
  create: [
    {
      body: {
        name: 'The Tower',
        timezone: 'Europe/Berlin',
        externalId: 'customer-1017',
        metadata: { segment: 'churches' },
      },
      returns: workspace,
    },
  ],
  get: [{ returns: workspace }],
  attention: [
    {
      returns: {
        failed: 2,
        unconfirmed: 1,
        needsReconnect: 0,
        expiring: 1,
        late: 0,
        posts: { failed: 1, unconfirmed: 1, late: 0 },
      },
    },
  ],
  usage: [
    {
      returns: {
        posts: { count: 12, limit: 30, remaining: 18 },
        storage: { usedBytes: 48_211_904, limitBytes: 1_073_741_824 },
        ai: { usedTokens: 18_400, limitTokens: 200_000 },
      },
    },
  ],
  update: [{ body: { holdIfLateMinutes: 30 }, returns: { ...workspace, holdIfLateMinutes: 30 } }],
  remove: [{ returns: null }],
  connections: [{ returns: [bluesky] }],
  updateConnection: [
    {
      body: { externalId: 'profile-88', metadata: { team: 'events' } },
      returns: { ...bluesky, externalId: 'profile-88', metadata: { team: 'events' } },
    },
  ],
  disconnect: [{ returns: null }],
  revoke: [{ returns: { revoked: true, reason: null } }],
  chooseTarget: [
    {
      body: { targetId: 'p2' },
      returns: {
        ...bluesky,
        target: { id: 'p2', name: 'The Tower Shop' },
        targets: [
          { id: 'p1', name: 'The Tower', kind: 'page' },
          { id: 'p2', name: 'The Tower Shop', kind: 'page' },
        ],
      },
    },
  ],
  members: [{ returns: [ada] }],
  updateMember: [{ body: { role: 'admin' }, returns: { ...ada, role: 'admin' } }],
  leave: [{ returns: null }],
  removeMember: [{ returns: null }],
  invitations: [{ returns: [{ ...invitation, mail: 'sent' }] }],
  invite: [{ body: { email: invitation.email, role: 'editor' }, returns: invitation }],
  deleteInvitation: [{ returns: null }],
  apiKeys: [{ returns: [apiKey] }],
  createApiKey: [
    {
      body: { label: 'newsletter', scopes: ['content:read', 'content:write'], workspaceOnly: true },
      returns: { ...apiKey, lastUsedAt: null, key: 'sk_4fT9aZ2qExampleExampleExampleExampleExampl0Ab1C2d' },
    },
  ],
  deleteApiKey: [{ returns: null }],
  audit: [{ returns: { data: [entry], nextCursor: null } }],
  export: [
    {
      returns: { exportedAt: '2026-11-15T21:00:00.000Z', part: 'workspace', records: [{ ...workspace }], nextCursor: 'members' },
    },
  ],
}
