/**
 * The features of the server from top to bottom: the folders in server/src/features. Each may import only those that come after it, so
 * that there is no cycle and a change can break only what is above it.
 */
export const featureOrder: readonly string[] = [
  'live-test',
  'doctor',
  'operator',
  'workspace-data',
  'live',
  'restore',
  'analytics',
  'webhooks',
  'publishing',
  'posts',
  'queues',
  'labels',
  'notes',
  'platforms',
  'ai',
  'link-card',
  'media',
  'connections',
  'invitations',
  'workspaces',
  'members',
  'api-keys',
  'people',
  'audit',
  'events',
  'legal',
  'reference',
  'web',
]
