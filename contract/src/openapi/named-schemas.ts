import { Type, type TSchema } from 'typebox'
import { grantableScopes, plans, roles } from '../access.ts'
import { AccountWebhook } from '../account/account-webhooks.ts'
import { Notice, notices, NoticeSettings } from '../account/notices.ts'
import { Captions, CaptionWish, HashtagWish, tones } from '../ai.ts'
import {
  AnalyticsGroup,
  AnalyticsSnapshot,
  AnalyticsSummary,
  BestTimes,
  ChannelAnalytics,
  Engagement,
  ConnectionFollowers,
  HourFigures,
  LabelFigures,
  PlatformMetrics,
  PostAnalytics,
  RankedPost,
} from '../analytics.ts'
import { ApiKey } from '../api-keys.ts'
import { ConnectLink, connectLinks } from '../connecting/connect-links.ts'
import { DeveloperApp, developerApps } from '../connecting/developer-apps.ts'
import { ApprovalLink, approvalLinks } from '../approval/approval-links.ts'
import { comments, PostComment } from '../approval/comments.ts'
import { Capabilities, Connection, connectionStatusCodes, connectionStatuses, Target } from '../connections.ts'
import { BulkResult, CalendarEntry, content } from '../content.ts'
import { actions, channelErrors, requestErrors } from '../errors.ts'
import { LoggedEvent } from '../events.ts'
import { failureReasons } from '../failure-reasons.ts'
import { integrations } from '../connecting/integrations.ts'
import { Invitation, invitationStatuses } from '../invitations.ts'
import { contentFormats } from '../manifest.ts'
import { hourCycles, Me, me, themes, weekStarts } from '../me.ts'
import {
  Media,
  media,
  MediaForm,
  MediaUpload,
  mediaTypes,
  NewUploadTicket,
  PendingUpload,
  ResumableUpload,
  UploadTicket,
} from '../media.ts'
import { MediaFolder } from '../media-folders.ts'
import { Member } from '../members.ts'
import { platforms } from '../platforms.ts'
import { ConnectMethod, PlatformInfo, PlatformMedia } from '../platforms-api.ts'
import {
  Accepted,
  Channel,
  ChannelError,
  channelStatuses,
  ConnectionOptions,
  Detail,
  Issue,
  NewTextPost,
  OneFileForm,
  PhotosForm,
  Post,
  PostChange,
  postStatuses,
  PostStatusView,
  PostToValidate,
  postTypes,
  TimelineEntry,
  timelineStages,
  Usage,
  Verdict,
} from '../post.ts'
import { calendarFeed } from '../exchange/calendar-feed.ts'
import { Import, imports } from '../exchange/imports.ts'
import { Label, labels } from '../planning/labels.ts'
import { Occurrence, series, Series, SeriesContent, SeriesDate, SeriesVariant } from '../planning/series.ts'
import { Note, notes } from '../planning/notes.ts'
import { markColors } from '../planning/colors.ts'
import { Grant } from '../account/grants.ts'
import { Queue, queues, SlotTime } from '../queues.ts'
import { AuditEntry } from '../audit.ts'
import { Report, reportLanguages, reports } from '../exchange/reports.ts'
import { ExportPage } from '../workspace-export.ts'
import { StrictObject } from '../primitives.ts'
import { ChannelEvent, ConnectionEvent, eventNames, PostEvent, RestoreEvent, TestEvent, WebhookEvent } from '../webhook-event.ts'
import { Delivery, Webhook, webhooks } from '../webhooks.ts'
import { Attention, Workspace, WorkspaceUsage, workspaces } from '../workspaces.ts'

const ErrorCode = Type.Enum(keysOf(requestErrors))
const Action = Type.Enum([...actions])

const ErrorSchema = StrictObject({
  code: ErrorCode,
  message: Type.String({ description: 'A sentence that can be shown to the user' }),
  action: Action,
  retryable: Type.Boolean({ description: 'Whether the same request can succeed later' }),
  details: Type.Optional(Type.Array(Detail)),
  current: Type.Optional(Post),
  docUrl: Type.String({ description: 'The documentation page of the code' }),
  traceId: Type.String({ description: 'The id of the request; also in the X-Request-Id header and in the log' }),
})

/** The named schemas of requests. Unknown fields are refused, so these keep `additionalProperties: false` in the document. */
export const requestSchemas: Record<string, TSchema | undefined> = {
  NewTextPost,
  PostChange,
  PostToValidate,
  PhotosForm,
  OneFileForm,
  ConnectionOptions,
  NewTime: content.reschedule.body,
  Resolution: content.resolve.body,
  Ids: content.bulkDelete.body,
  BulkNewTime: content.bulkReschedule.body,
  MediaForm,
  MediaChange: media.update.body,
  MediaToFetch: media.fetch.body,
  NewMediaUpload: media.startUpload.body,
  MediaUploadParts: media.completeUpload.body,
  UploadTicketOptions: media.createUploadTicket.body,
  MyChange: me.update.body,
  NoticesRead: notices.markRead.body,
  NoticeSettingsChange: notices.updateSettings.body,
  QueueWish: content.enqueue.body,
  NewQueue: queues.create.body,
  QueueChange: queues.update.body,
  BulkLabels: content.bulkLabel.body,
  NewMediaFolder: media.createFolder.body,
  MediaFolderChange: media.updateFolder.body,
  BulkMediaMove: media.bulkMove.body,
  BulkMediaTags: media.bulkTag.body,
  NewCalendarFeed: calendarFeed.create.body,
  NewImport: imports.create.body,
  ImportRun: imports.run.body,
  NewSeries: series.create.body,
  SeriesChange: series.update.body,
  SeriesContent,
  SeriesVariant,
  NewLabel: labels.create.body,
  LabelChange: labels.update.body,
  NewNote: notes.create.body,
  NoteChange: notes.update.body,
  NewReport: reports.create.body,
  MarkColor: Type.Enum([...markColors]),
  NewApprovalLink: approvalLinks.create.body,
  NewComment: comments.create.body,
  CommentChange: comments.update.body,
  NewWebhook: webhooks.create.body,
  WebhookChange: webhooks.update.body,
  NewWorkspace: workspaces.create.body,
  WorkspaceChange: workspaces.update.body,
  NewInvitation: workspaces.invite.body,
  ConnectionChange: workspaces.updateConnection.body,
  ConnectStart: integrations.start.body,
  ConnectPassword: integrations.password.body,
  NewApiKey: workspaces.createApiKey.body,
  NewConnectLink: connectLinks.create.body,
  NewDeveloperApp: developerApps.save.body,
  CaptionWish,
  HashtagWish,
  Tone: Type.Enum([...tones]),
  GrantableScope: Type.Enum([...grantableScopes]),
  ContentFormat: Type.Enum([...contentFormats]),
}

/** The named schemas of responses. These may get new fields, so the document allows additional properties. */
export const responseSchemas: Record<string, TSchema | undefined> = {
  Notice,
  NoticeSettings,
  NoticeList: notices.list.returns,
  Post,
  PostStatus: Type.Enum([...postStatuses]),
  PostType: Type.Enum([...postTypes]),
  PostPage: content.list.returns,
  PostStatusView,
  CalendarEntry,
  TimelineEntry,
  TimelineStage: Type.Enum([...timelineStages]),
  Channel,
  ChannelStatus: Type.Enum([...channelStatuses]),
  ChannelError,
  ChannelErrorCode: Type.Enum(keysOf(channelErrors)),
  FailureReason: Type.Enum(keysOf(failureReasons)),
  Accepted,
  AcceptedSync: Accepted.anyOf[0],
  AcceptedAsync: Accepted.anyOf[1],
  AcceptedDraft: Accepted.anyOf[2],
  Verdict,
  BulkResult,
  Removal: content.remove.returns.anyOf[0],
  Captions,
  AnalyticsSummary,
  AnalyticsSnapshot,
  AnalyticsGroup,
  ConnectionFollowers,
  LabelFigures,
  BestTimes,
  HourFigures,
  RankedPost,
  Report,
  ReportLanguage: Type.Enum([...reportLanguages]),
  PostAnalytics,
  ChannelAnalytics,
  Engagement,
  PlatformMetrics,
  Usage,
  Media,
  MediaType: Type.Enum([...mediaTypes]),
  MediaPage: media.list.returns,
  MediaUpload,
  PendingUpload,
  UploadTicket,
  NewUploadTicket,
  ResumableUpload,
  Me,
  WeekStart: Type.Enum([...weekStarts]),
  HourCycle: Type.Enum([...hourCycles]),
  Theme: Type.Enum([...themes]),
  ApprovalLink,
  PostComment,
  Grant,
  Queue,
  Series,
  SeriesDate,
  Occurrence,
  SlotTime,
  Import,
  Label,
  MediaFolder,
  Note,
  Webhook,
  AccountWebhook,
  Delivery,
  EventName: Type.Enum([...eventNames]),
  WebhookEvent,
  PostEvent,
  ChannelEvent,
  ConnectionEvent,
  RestoreEvent,
  TestEvent,
  LoggedEvent,
  Workspace,
  Attention,
  WorkspaceUsage,
  Platform: Type.Enum([...platforms]),
  Role: Type.Enum([...roles]),
  Plan: Type.Enum([...plans]),
  ApiKey,
  ConnectLink,
  DeveloperApp,
  Connection,
  Capabilities,
  Target,
  Member,
  Invitation,
  InvitationStatus: Type.Enum([...invitationStatuses]),
  AuditEntry,
  ExportPage,
  PlatformInfo,
  PlatformMedia,
  ConnectMethod,
  ConnectionStatusCode: Type.Enum([...connectionStatusCodes]),
  ConnectionStatus: Type.Enum([...connectionStatuses]),
  Error: ErrorSchema,
  ErrorCode,
  ErrorDetail: Detail,
  Issue,
  Action,
  ErrorAnswer: StrictObject({ success: Type.Literal(false), error: ErrorSchema }),
}

function keysOf<T extends object>(table: T): Extract<keyof T, string>[] {
  const keys: Extract<keyof T, string>[] = []
  for (const key in table) keys.push(key)
  return keys
}
