export { serveHttp, type HttpCall } from './serve-http.ts'
export { permissions, type Permission } from './settings.ts'
