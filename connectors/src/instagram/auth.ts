import type { OAuth2 } from '../kit/auth.ts'
import { graphAuth } from '../meta/graph-auth.ts'

export const origin = 'https://graph.instagram.com'

export const auth: OAuth2 = {
  ...graphAuth('ig'),
  authorizeUrl: 'https://www.instagram.com/oauth/authorize',
  tokenUrl: 'https://api.instagram.com/oauth/access_token',
  apiOrigin: origin,
  scopes: [
    'instagram_business_basic',
    'instagram_business_content_publish',
    'instagram_business_manage_comments',
    'instagram_business_manage_insights',
  ],
}
