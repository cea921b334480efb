// Every attribute name that a trace carries, in one place: those of OpenTelemetry's conventions,
// which change between their versions, and our own. What is sent is read by others' queries, so a
// name of ours is never renamed.
#pragma once

namespace holdfast::insight::names
{

// Resource.
inline constexpr char serviceName[] = "service.name";
inline constexpr char serviceVersion[] = "service.version";
inline constexpr char serviceInstanceId[] = "service.instance.id";

// HTTP client spans.
inline constexpr char httpRequestMethod[] = "http.request.method";
inline constexpr char httpRequestResendCount[] = "http.request.resend_count";
inline constexpr char httpResponseStatusCode[] = "http.response.status_code";
inline constexpr char serverAddress[] = "server.address";
inline constexpr char serverPort[] = "server.port";
inline constexpr char urlFull[] = "url.full";
inline constexpr char errorType[] = "error.type";

// Programs.
inline constexpr char processExecutableName[] = "process.executable.name";
inline constexpr char processExitCode[] = "process.exit.code";

// Language models; in development at OpenTelemetry.
inline constexpr char genAiOperationName[] = "gen_ai.operation.name";
inline constexpr char genAiProviderName[] = "gen_ai.provider.name";
inline constexpr char genAiRequestModel[] = "gen_ai.request.model";
inline constexpr char genAiResponseModel[] = "gen_ai.response.model";
inline constexpr char genAiResponseId[] = "gen_ai.response.id";
inline constexpr char genAiResponseFinishReasons[] = "gen_ai.response.finish_reasons";
inline constexpr char genAiUsageInputTokens[] = "gen_ai.usage.input_tokens";
inline constexpr char genAiUsageOutputTokens[] = "gen_ai.usage.output_tokens";

// Our own.
inline constexpr char runId[] = "holdfast.run.id";
inline constexpr char workflow[] = "holdfast.workflow";
inline constexpr char workflowVersion[] = "holdfast.workflow.version";
inline constexpr char step[] = "holdfast.step";
inline constexpr char action[] = "holdfast.action";
inline constexpr char attempt[] = "holdfast.attempt";
inline constexpr char dependency[] = "holdfast.dependency";
inline constexpr char failureClass[] = "holdfast.class";
inline constexpr char reason[] = "holdfast.reason";
inline constexpr char outcome[] = "holdfast.outcome";
inline constexpr char keyHash[] = "holdfast.key_hash"; // never the key itself
inline constexpr char reviewKind[] = "holdfast.review.kind";
inline constexpr char retryCount[] = "holdfast.retry_count";
inline constexpr char compensationCount[] = "holdfast.compensation_count";
inline constexpr char duplicatesPrevented[] = "holdfast.duplicates_prevented";

} // namespace holdfast::insight::names
