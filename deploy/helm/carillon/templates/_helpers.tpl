{{- define "carillon.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "carillon.tag" -}}
{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{/* The image of a release. Call it with the root and a tag. A digest belongs to the release that is installed now. */}}
{{- define "carillon.image" -}}
{{- $image := .root.Values.image }}
{{- if and $image.digest (eq .tag (include "carillon.tag" .root)) }}{{ printf "%s@%s" $image.repository $image.digest }}{{ else }}{{ printf "%s:%s" $image.repository .tag }}{{ end }}
{{- end }}

{{/*
The release whose workers ran before this one, as the cluster knows it; empty if there is none, or where nothing can be asked. Only the newest: what
began on an older one has ended since.
*/}}
{{- define "carillon.lastRelease" -}}
{{- $root := . }}
{{- $found := dict "at" "" "tag" "" }}
{{- range (lookup "apps/v1" "Deployment" .Release.Namespace "").items }}
{{- $labels := .spec.selector.matchLabels | default dict }}
{{- $tag := get $labels "app.kubernetes.io/version" }}
{{- $isOurs := and (eq (get $labels "app.kubernetes.io/name") $root.Chart.Name) (eq (get $labels "app.kubernetes.io/instance") $root.Release.Name) }}
{{- if and $isOurs $tag (eq (get $labels "app.kubernetes.io/component") "worker") (ne $tag (include "carillon.tag" $root)) }}
{{- if gt .metadata.creationTimestamp (get $found "at") }}
{{- $_ := set $found "at" .metadata.creationTimestamp }}
{{- $_ := set $found "tag" $tag }}
{{- end }}
{{- end }}
{{- end }}
{{- get $found "tag" }}
{{- end }}

{{/* A tag as a part of a name: v1.2.0 becomes v1-2-0. */}}
{{- define "carillon.slug" -}}
{{ . | lower | replace "." "-" | replace "_" "-" | replace "+" "-" | trunc 20 | trimSuffix "-" }}
{{- end }}

{{- define "carillon.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "carillon.labels" -}}
{{ include "carillon.selector" . }}
app.kubernetes.io/version: {{ include "carillon.tag" . | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | quote }}
{{- end }}

{{/* What the "restricted" pod security standard asks for. */}}
{{- define "carillon.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{- define "carillon.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end }}

{{- define "carillon.secret" -}}
{{ required "secretName is not set: name the secret with DATABASE_URL and CARILLON_SECRET_KEYS" .Values.secretName }}
{{- end }}

{{/* Settings that every pod has. Call it with the root and the URL of the workers. */}}
{{- define "carillon.env" -}}
{{- $values := .root.Values }}
- name: CARILLON_PUBLIC_URL
  value: {{ required "publicUrl is not set: the address that people type, for example https://carillon.example" $values.publicUrl | quote }}
- name: CARILLON_HOST
  value: 0.0.0.0
- name: CARILLON_HEALTH_HOST
  value: 0.0.0.0
- name: CARILLON_WORKER_HOST
  value: 0.0.0.0
- name: CARILLON_WORKER_URL
  value: {{ .workerUrl | quote }}
- name: CARILLON_MEDIA_DIR
  value: /data/media
- name: RESTATE_INGRESS_URL
  value: {{ required "engine.ingressUrl is not set: where Restate accepts work, for example http://restate:8080" $values.engine.ingressUrl | quote }}
- name: RESTATE_ADMIN_URL
  value: {{ required "engine.adminUrl is not set: where workers register with Restate, for example http://restate:9070" $values.engine.adminUrl | quote }}
- name: RESTATE_IDENTITY_KEYS
  value: {{ required "engine.identityKeys is not set: workers must know whose requests they answer (docs/configuration.md, The engine)" $values.engine.identityKeys | quote }}
{{- range $name, $value := $values.settings }}
- name: {{ $name }}
  value: {{ $value | toString | quote }}
{{- end }}
{{- end }}

{{- define "carillon.volumes" -}}
- name: tmp
  emptyDir: {}
- name: data
{{- if .Values.media.existingClaim }}
  persistentVolumeClaim:
    claimName: {{ .Values.media.existingClaim }}
{{- else }}
  emptyDir:
    sizeLimit: {{ .Values.media.sizeLimit }}
{{- end }}
{{- end }}

{{/* Where pods run. */}}
{{- define "carillon.placement" -}}
{{- with .Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "carillon.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{/* The pod of the API or of a worker. Call it with root, role, tag, resources, workerUrl and graceSeconds. */}}
{{- define "carillon.pod" -}}
metadata:
  labels:
    {{- include "carillon.selector" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
    app.kubernetes.io/version: {{ .tag | quote }}
  {{- with .root.Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  # A send that is cut off can end as unconfirmed, so the process gets time to finish.
  terminationGracePeriodSeconds: {{ .graceSeconds }}
  securityContext:
    {{- include "carillon.podSecurity" .root | nindent 4 }}
  {{- include "carillon.pullSecrets" .root | nindent 2 }}
  {{- include "carillon.placement" .root | nindent 2 }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "carillon.selector" .root | nindent 10 }}
          app.kubernetes.io/component: {{ .role }}
  containers:
    - name: {{ .role }}
      image: {{ include "carillon.image" . | quote }}
      imagePullPolicy: {{ .root.Values.image.pullPolicy }}
      args: [serve, --role, {{ .role }}]
      securityContext:
        {{- include "carillon.containerSecurity" .root | nindent 8 }}
      envFrom:
        - secretRef:
            name: {{ include "carillon.secret" .root }}
      env:
        {{- include "carillon.env" . | nindent 8 }}
      ports:
        {{- if eq .role "api" }}
        - { name: http, containerPort: 3000 }
        {{- else }}
        - { name: engine, containerPort: 9080 }
        {{- end }}
        - { name: health, containerPort: 9081 }
      startupProbe:
        httpGet: { path: /health/live, port: health }
        periodSeconds: 2
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /health/live, port: health }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      # Not /health/ready: an API can accept posts while workers or the engine are away.
      readinessProbe:
        httpGet: { path: /health/accepting, port: health }
        periodSeconds: 5
        timeoutSeconds: 5
        failureThreshold: 2
      lifecycle:
        preStop:
          # Balancers need a moment to learn that the pod is going.
          sleep: { seconds: 5 }
      resources:
        {{- toYaml .resources | nindent 8 }}
      volumeMounts:
        - { name: tmp, mountPath: /tmp }
        - { name: data, mountPath: /data }
  volumes:
    {{- include "carillon.volumes" .root | nindent 4 }}
{{- end }}
