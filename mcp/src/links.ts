/** Pages of the web app, for what only a person can do. */
export type Links = {
  post(id: string): string
  media: string
  integrations: string
  errorPage(code: string): string
}

export function linksOf(origin: string, workspaceId: string): Links {
  const workspace = `${origin}/w/${workspaceId}`
  return {
    post: (id) => `${workspace}/posts/${id}`,
    media: `${workspace}/media`,
    integrations: `${workspace}/integrations`,
    errorPage: (code) => `${origin}/docs/errors/${code}`,
  }
}
