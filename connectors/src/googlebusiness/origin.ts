/** Local posts are one of the last parts of this API in use. Accounts and locations are on hosts of their own. */
export const origin = 'https://mybusiness.googleapis.com'
