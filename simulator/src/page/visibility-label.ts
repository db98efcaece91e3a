/** What the platforms' names of audiences mean. */
const labels: Readonly<Record<string, string>> = {
  public: 'Public',
  PUBLIC: 'Public',
  PUBLIC_TO_EVERYONE: 'Public',
  unlisted: 'Unlisted',
  private: 'Followers only',
  FOLLOWER_OF_CREATOR: 'Followers only',
  direct: 'Mentioned people only',
  CONNECTIONS: 'Connections only',
  LOGGED_IN: 'Signed-in people only',
  CONTAINER: 'Group members only',
  MUTUAL_FOLLOW_FRIENDS: 'Friends only',
  SELF_ONLY: 'Only the author',
}

/** The audience of a post in words, or the platform's own name for it. */
export function visibilityLabel(visibility: string): string {
  return labels[visibility] ?? visibility
}
