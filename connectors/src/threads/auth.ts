import type { OAuth2 } from '../kit/auth.ts'
import { graphAuth } from '../meta/graph-auth.ts'

export const auth: OAuth2 = {
  ...graphAuth('th'),
  authorizeUrl: 'https://threads.com/oauth/authorize',
  tokenUrl: '/oauth/access_token',
  scopes: [
    'threads_basic',
    'threads_content_publish',
    'threads_manage_replies',
    'threads_read_replies',
    'threads_manage_insights',
    'threads_delete',
  ],
}
