import { createCarillon } from '@carillon/sdk'

/** The API of the server that served this page. The browser sends the session cookie. */
export const carillon = createCarillon({ baseUrl: `${location.origin}/api` })
