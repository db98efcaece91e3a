import type { Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-18',
  summary: {
    en: 'Nothing to set up. Whoever may install apps in a Slack workspace makes an app of their own, and connects with the token of its bot.',
    de: 'Nichts einzurichten. Wer in einem Slack-Workspace Apps installieren darf, legt eine eigene App an und verbindet mit dem Token ihres Bots.',
  },
  facts: {
    who: { en: 'Everybody who may install apps in a workspace', de: 'Alle, die in einem Workspace Apps installieren dürfen' },
    money: { en: 'None', de: 'Keine' },
    wait: {
      en: 'None, unless an administrator of the workspace must approve apps',
      de: 'Keine, außer wenn im Workspace jemand Apps freigeben muss',
    },
    ends: {
      en: 'The app is removed from the workspace, or its bot from the channel.',
      de: 'Die App wird aus dem Workspace entfernt, oder ihr Bot aus dem Kanal.',
    },
  },
  app: null,
  steps: [
    {
      title: { en: 'Make an app', de: 'App anlegen' },
      text: [
        {
          en: 'On `api.slack.com/apps`, choose *Create New App → From scratch*, give it the name under which the posts appear, and choose the workspace.',
          de: 'Wähle auf `api.slack.com/apps` *Create New App → From scratch*, gib den Namen ein, unter dem die Beiträge erscheinen, und wähle den Workspace.',
        },
        {
          en: 'Under *OAuth & Permissions → Bot Token Scopes*, add `chat:write`, `files:write`, `files:read`, `channels:read`, `groups:read`, `channels:history` and `groups:history`. Leave *Token Rotation* off.',
          de: 'Füge unter *OAuth & Permissions → Bot Token Scopes* `chat:write`, `files:write`, `files:read`, `channels:read`, `groups:read`, `channels:history` und `groups:history` hinzu. Lass *Token Rotation* ausgeschaltet.',
        },
        {
          en: 'Choose *Install to Workspace*, and copy the *Bot User OAuth Token*. It begins with `xoxb-`. Whoever has it can write as the bot.',
          de: 'Wähle *Install to Workspace* und kopiere das *Bot User OAuth Token*. Es beginnt mit `xoxb-`. Wer es hat, kann als der Bot schreiben.',
        },
      ],
    },
    {
      title: { en: 'Add it to the channel', de: 'Zum Kanal hinzufügen' },
      text: [
        {
          en: 'In the channel, write `/invite @` and the name of the app. This is needed in public channels too.',
          de: 'Schreib im Kanal `/invite @` und den Namen der App. Das ist auch in öffentlichen Kanälen nötig.',
        },
      ],
    },
    {
      title: { en: 'Connect', de: 'Verbinden' },
      text: [
        {
          en: 'Enter the token and the link of the channel: *Copy link* in the menu of the channel. Its name works as well.',
          de: 'Gib das Token und den Link des Kanals ein: *Copy link* im Menü des Kanals. Sein Name genügt auch.',
        },
        {
          en: 'Each channel is an account of its own. Connect the next one with the same token.',
          de: 'Jeder Kanal ist ein eigenes Konto. Verbinde den nächsten mit demselben Token.',
        },
      ],
    },
  ],
  review: null,
  problems: [
    {
      sign: { en: 'The bot may not post in this chat', de: 'Der Bot darf in diesem Chat nicht schreiben' },
      cure: {
        en: 'Invite it into the channel with `/invite`. An archived channel, or one where only some may write, takes no posts.',
        de: 'Lade ihn mit `/invite` in den Kanal ein. Ein archivierter Kanal oder einer, in dem nur manche schreiben dürfen, nimmt keine Beiträge an.',
      },
    },
    {
      sign: { en: 'The app lacks scopes', de: 'Der App fehlen Scopes' },
      cure: {
        en: 'Add them under *OAuth & Permissions*, and then choose *Reinstall to Workspace*: new scopes hold only after that.',
        de: 'Füge sie unter *OAuth & Permissions* hinzu und wähle dann *Reinstall to Workspace*: Neue Scopes gelten erst danach.',
      },
    },
    {
      sign: { en: 'The token begins with xoxe', de: 'Das Token beginnt mit xoxe' },
      cure: {
        en: 'The app has token rotation, which cannot be switched off again. Make a new app without it.',
        de: 'Die App hat Token Rotation, die sich nicht wieder ausschalten lässt. Lege eine neue App ohne sie an.',
      },
    },
  ],
  sources: [
    { url: 'https://docs.slack.dev/reference/methods/chat.postmessage', on: '2026-11-18' },
    { url: 'https://docs.slack.dev/apis/web-api/rate-limits', on: '2026-11-18' },
    { url: 'https://docs.slack.dev/messaging/message-metadata', on: '2026-11-18' },
  ],
}
