#include "collect/import/env_names.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sorted by strcmp. */
static const char *const env_names[] = {
	"CUDA_DEVICE_MAX_CONNECTIONS",
	"CUDA_DEVICE_ORDER",
	"CUDA_LAUNCH_BLOCKING",
	"CUDA_MODULE_LOADING",
	"CUDA_VISIBLE_DEVICES",
	"FI_CXI_DEFAULT_CQ_SIZE",
	"FI_CXI_DEFAULT_TX_SIZE",
	"FI_CXI_DISABLE_HOST_REGISTER",
	"FI_CXI_OFLOW_BUF_SIZE",
	"FI_CXI_RDZV_EAGER_SIZE",
	"FI_CXI_RDZV_GET_MIN",
	"FI_CXI_RDZV_PROTO",
	"FI_CXI_RDZV_THRESHOLD",
	"FI_CXI_REQ_BUF_SIZE",
	"FI_CXI_RX_MATCH_MODE",
	"FI_EFA_ENABLE_SHM_TRANSFER",
	"FI_EFA_FORK_SAFE",
	"FI_EFA_SET_CUDA_SYNC_MEMOPS",
	"FI_EFA_TX_MIN_CREDITS",
	"FI_EFA_USE_DEVICE_RDMA",
	"FI_EFA_USE_HUGE_PAGE",
	"FI_HMEM_CUDA_USE_GDRCOPY",
	"FI_LOG_LEVEL",
	"FI_MR_CACHE_MAX_COUNT",
	"FI_MR_CACHE_MAX_SIZE",
	"FI_MR_CACHE_MONITOR",
	"FI_OFI_RXM_USE_SRX",
	"FI_PROVIDER",
	"FI_UNIVERSE_SIZE",
	"GLOO_SOCKET_IFNAME",
	"HIP_VISIBLE_DEVICES",
	"HSA_FORCE_FINE_GRAIN_PCIE",
	"HSA_NO_SCRATCH_RECLAIM",
	"MPICH_GPU_SUPPORT_ENABLED",
	"MPICH_OFI_NIC_POLICY",
	"NCCL_ALGO",
	"NCCL_ALLOC_P2P_NET_LL_BUFFERS",
	"NCCL_BUFFSIZE",
	"NCCL_CHECKS_DISABLE",
	"NCCL_CHECK_POINTERS",
	"NCCL_COLLNET_ENABLE",
	"NCCL_COLLNET_NODE_THRESHOLD",
	"NCCL_COMM_BLOCKING",
	"NCCL_COMM_SPLIT_SHARE_RESOURCES",
	"NCCL_CONF_FILE",
	"NCCL_CREATE_THREAD_CONTEXT",
	"NCCL_CROSS_NIC",
	"NCCL_CTA_POLICY",
	"NCCL_CUMEM_ENABLE",
	"NCCL_CUMEM_HOST_ENABLE",
	"NCCL_DEBUG",
	"NCCL_DEBUG_FILE",
	"NCCL_DEBUG_SUBSYS",
	"NCCL_DEBUG_TIMESTAMP_FORMAT",
	"NCCL_DEBUG_TIMESTAMP_LEVELS",
	"NCCL_DMABUF_ENABLE",
	"NCCL_GDRCOPY_ENABLE",
	"NCCL_GIN_ENABLE",
	"NCCL_GIN_TYPE",
	"NCCL_GRAPH_DUMP_FILE",
	"NCCL_GRAPH_FILE",
	"NCCL_GRAPH_HELPER_DISABLE",
	"NCCL_GRAPH_MIXING_SUPPORT",
	"NCCL_GRAPH_REGISTER",
	"NCCL_HOSTID",
	"NCCL_IB_ADAPTIVE_ROUTING",
	"NCCL_IB_ADDR_FAMILY",
	"NCCL_IB_ADDR_RANGE",
	"NCCL_IB_AR_THRESHOLD",
	"NCCL_IB_CUDA_SUPPORT",
	"NCCL_IB_DATA_DIRECT",
	"NCCL_IB_DISABLE",
	"NCCL_IB_ECE_ENABLE",
	"NCCL_IB_FIFO_TC",
	"NCCL_IB_GID_INDEX",
	"NCCL_IB_HCA",
	"NCCL_IB_MERGE_NICS",
	"NCCL_IB_MERGE_VFS",
	"NCCL_IB_MQP_RETRY_ALL",
	"NCCL_IB_MQP_RETRY_SLEEP_MSEC",
	"NCCL_IB_OOO_RQ",
	"NCCL_IB_PCI_RELAXED_ORDERING",
	"NCCL_IB_QPS_PER_CONNECTION",
	"NCCL_IB_RETRY_CNT",
	"NCCL_IB_RETURN_ASYNC_EVENTS",
	"NCCL_IB_ROCE_VERSION_NUM",
	"NCCL_IB_SL",
	"NCCL_IB_SPLIT_DATA_ON_QPS",
	"NCCL_IB_TC",
	"NCCL_IB_TIMEOUT",
	"NCCL_IB_USE_INLINE",
	"NCCL_IGNORE_CPU_AFFINITY",
	"NCCL_IGNORE_DISABLED_P2P",
	"NCCL_LAUNCH_MODE",
	"NCCL_LAUNCH_ORDER_IMPLICIT",
	"NCCL_LAUNCH_RACE_FATAL",
	"NCCL_LEGACY_CUDA_REGISTER",
	"NCCL_LL128_BUFFSIZE",
	"NCCL_LL128_NTHREADS",
	"NCCL_LL_BUFFSIZE",
	"NCCL_LOCAL_REGISTER",
	"NCCL_MAX_CTAS",
	"NCCL_MAX_NCHANNELS",
	"NCCL_MAX_NRINGS",
	"NCCL_MAX_P2P_NCHANNELS",
	"NCCL_MIN_CTAS",
	"NCCL_MIN_NCHANNELS",
	"NCCL_MIN_NRINGS",
	"NCCL_MIN_P2P_NCHANNELS",
	"NCCL_MNNVL_CLIQUE_ID",
	"NCCL_MNNVL_CROSS_CLIQUE",
	"NCCL_MNNVL_ENABLE",
	"NCCL_MNNVL_UUID",
	"NCCL_MULTI_RANK_GPU_ENABLE",
	"NCCL_NCHANNELS_PER_NET_PEER",
	"NCCL_NET",
	"NCCL_NETDEVS_POLICY",
	"NCCL_NET_DISABLE_INTRA",
	"NCCL_NET_FORCE_MERGE",
	"NCCL_NET_GDR_C2C",
	"NCCL_NET_GDR_LEVEL",
	"NCCL_NET_GDR_READ",
	"NCCL_NET_MERGE_LEVEL",
	"NCCL_NET_OVERHEAD",
	"NCCL_NET_PLUGIN",
	"NCCL_NET_SHARED_BUFFERS",
	"NCCL_NET_SHARED_COMMS",
	"NCCL_NSOCKS_PERTHREAD",
	"NCCL_NTHREADS",
	"NCCL_NVB_DISABLE",
	"NCCL_NVB_PRECONNECT",
	"NCCL_NVLSTREE_MAX_CHUNKSIZE",
	"NCCL_NVLS_CHUNKSIZE",
	"NCCL_NVLS_ENABLE",
	"NCCL_NVLS_NCHANNELS",
	"NCCL_OOB_NET_ENABLE",
	"NCCL_OOB_NET_IFNAME",
	"NCCL_P2P_DIRECT_DISABLE",
	"NCCL_P2P_DISABLE",
	"NCCL_P2P_LEVEL",
	"NCCL_P2P_LL_THRESHOLD",
	"NCCL_P2P_NET_CHUNKSIZE",
	"NCCL_P2P_NVL_CHUNKSIZE",
	"NCCL_P2P_PCI_CHUNKSIZE",
	"NCCL_P2P_PXN_LEVEL",
	"NCCL_P2P_READ_ENABLE",
	"NCCL_P2P_USE_CUDA_MEMCPY",
	"NCCL_PAT_ENABLE",
	"NCCL_PROFILER_PLUGIN",
	"NCCL_PROGRESS_APPENDOP_FREQ",
	"NCCL_PROTO",
	"NCCL_PXN_C2C",
	"NCCL_PXN_DISABLE",
	"NCCL_RAS_ADDR",
	"NCCL_RAS_ENABLE",
	"NCCL_RAS_TIMEOUT_FACTOR",
	"NCCL_RUNTIME_CONNECT",
	"NCCL_SET_STACK_SIZE",
	"NCCL_SHM_DISABLE",
	"NCCL_SHM_LOCALITY",
	"NCCL_SHM_MEMCPY_MODE",
	"NCCL_SHM_USE_CUDA_MEMCPY",
	"NCCL_SINGLE_PROC_MEM_REG_ENABLE",
	"NCCL_SINGLE_RING_THRESHOLD",
	"NCCL_SOCKET_FAMILY",
	"NCCL_SOCKET_IFNAME",
	"NCCL_SOCKET_NTHREADS",
	"NCCL_SOCKET_POLL_TIMEOUT_MSEC",
	"NCCL_SOCKET_RETRY_CNT",
	"NCCL_SOCKET_RETRY_SLEEP_MSEC",
	"NCCL_STORE_IFNAME",
	"NCCL_SYM_CTAS",
	"NCCL_THREAD_THRESHOLDS",
	"NCCL_TOPO_DUMP_FILE",
	"NCCL_TOPO_DUMP_FILE_RANK",
	"NCCL_TOPO_FILE",
	"NCCL_TREE_THRESHOLD",
	"NCCL_TUNER_CONFIG_FILE",
	"NCCL_TUNER_PLUGIN",
	"NCCL_WARN_ENABLE_DEBUG_INFO",
	"NCCL_WIN_ENABLE",
	"NCCL_WIN_STRIDE",
	"NCCL_WORK_ARGS_BYTES",
	"NCCL_WORK_FIFO_BYTES",
	"NCCL_WORK_FIFO_DEPTH",
	"OFI_NCCL_DISABLE_GDR_REQUIRED_CHECK",
	"OFI_NCCL_GDR_FLUSH_DISABLE",
	"OFI_NCCL_NIC_DUP_CONNS",
	"OFI_NCCL_PROTOCOL",
	"OFI_NCCL_TOPO_FILE_WRITE_ENABLE",
	"OMPI_MCA_btl",
	"OMPI_MCA_btl_tcp_if_include",
	"OMPI_MCA_coll_hcoll_enable",
	"OMPI_MCA_mtl",
	"OMPI_MCA_oob_tcp_if_include",
	"OMPI_MCA_osc",
	"OMPI_MCA_pml",
	"OMP_NUM_THREADS",
	"PYTORCH_CUDA_ALLOC_CONF",
	"RCCL_MSCCLPP_ENABLE",
	"RCCL_MSCCL_ENABLE",
	"ROCR_VISIBLE_DEVICES",
	"SHARP_COLL_ENABLE_SAT",
	"TORCH_NCCL_ASYNC_ERROR_HANDLING",
	"TORCH_NCCL_AVOID_RECORD_STREAMS",
	"TORCH_NCCL_BLOCKING_WAIT",
	"TORCH_NCCL_HIGH_PRIORITY",
	"UCX_IB_GID_INDEX",
	"UCX_IB_SL",
	"UCX_IB_TRAFFIC_CLASS",
	"UCX_MAX_RNDV_RAILS",
	"UCX_NET_DEVICES",
	"UCX_RNDV_SCHEME",
	"UCX_RNDV_THRESH",
	"UCX_TLS",
};

static int compare_names(const void *key, const void *item)
{
	return strcmp(key, *(const char *const *)item);
}

bool env_name_known(const char *name)
{
	return bsearch(name, env_names, sizeof(env_names) / sizeof(*env_names), sizeof(*env_names), compare_names);
}

static bool keeps(const char *name, size_t n, const char *const *extra, size_t n_extra)
{
	char copy[128];

	if (n == 0 || n >= sizeof(copy))
		return false;
	memcpy(copy, name, n);
	copy[n] = '\0';
	for (size_t i = 0; i < n_extra; i++)
		if (strcmp(extra[i], copy) == 0)
			return true;
	return env_name_known(copy);
}

/* The bytes of a JSON array or object that begins at s; to the end when it is cut off. */
static size_t json_value_length(const char *s, size_t n)
{
	size_t depth = 0;
	bool string = false;

	for (size_t i = 0; i < n; i++) {
		if (string) {
			if (s[i] == '\\')
				i++;
			else if (s[i] == '"')
				string = false;
		} else if (s[i] == '"') {
			string = true;
		} else if (s[i] == '[' || s[i] == '{') {
			depth++;
		} else if ((s[i] == ']' || s[i] == '}') && --depth == 0) {
			return i + 1;
		}
	}
	return n;
}

/* At `"env": [` or `{`: where its value begins, else 0. */
static size_t json_env_value(const char *s, size_t n)
{
	size_t i = 5;

	if (n < 7 || memcmp(s, "\"env\"", 5) != 0)
		return 0;
	while (i < n && isspace((unsigned char)s[i]))
		i++;
	if (i >= n || s[i++] != ':')
		return 0;
	while (i < n && isspace((unsigned char)s[i]))
		i++;
	return i < n && (s[i] == '[' || s[i] == '{') ? i : 0;
}

/* The value of "X set by environment to VALUE" that begins at s, to the end of the line, when X must not be kept. */
static size_t secret_value(const char *bytes, size_t at, const char *const *extra, size_t n_extra)
{
	static const char words[] = " set by environment to ";
	size_t m = sizeof(words) - 1, start = 0;

	if (at < m || memcmp(bytes + at - m, words, m) != 0)
		return 0;
	start = at - m;
	while (start > 0 && (isalnum((unsigned char)bytes[start - 1]) || bytes[start - 1] == '_'))
		start--;
	return !keeps(bytes + start, at - m - start, extra, n_extra);
}

/* Whether the value of a line NAME=VALUE, as env and export print them, begins at `at`, when NAME must not be kept. */
static bool dumped_value(const char *bytes, size_t at, const char *const *extra, size_t n_extra)
{
	static const char *const leads[] = {"", "export ", "declare -x "};
	size_t start = at - 1;

	while (start > 0 && (isupper((unsigned char)bytes[start - 1]) || isdigit((unsigned char)bytes[start - 1]) ||
			     bytes[start - 1] == '_'))
		start--;
	if (start == at - 1 || isdigit((unsigned char)bytes[start]))
		return false;
	for (size_t i = 0; i < sizeof(leads) / sizeof(*leads); i++) {
		size_t lead = strlen(leads[i]);

		if (start >= lead && memcmp(bytes + start - lead, leads[i], lead) == 0 &&
		    (start == lead || bytes[start - lead - 1] == '\n'))
			return !keeps(bytes + start, at - 1 - start, extra, n_extra);
	}
	return false;
}

char *env_cut(const char *bytes, size_t n, const char *const *extra, size_t n_extra, struct text *ret_kept)
{
	size_t n_json = 0, n_lines = 0;

	for (size_t i = 0; i < n;) {
		size_t value = bytes[i] == '"' ? json_env_value(bytes + i, n - i) : 0;
		if (value > 0) {
			text_add_bytes(ret_kept, bytes + i, value);
			text_add(ret_kept, "\"cut\"");
			i += value + json_value_length(bytes + i + value, n - i - value);
			n_json++;
			continue;
		}
		if (i > 0 && ((bytes[i - 1] == ' ' && secret_value(bytes, i, extra, n_extra)) ||
			      (bytes[i - 1] == '=' && dumped_value(bytes, i, extra, n_extra)))) {
			text_add(ret_kept, "(cut)");
			while (i < n && bytes[i] != '\n' && bytes[i] != '\r')
				i++;
			n_lines++;
			continue;
		}
		text_add_char(ret_kept, bytes[i++]);
	}
	if (n_json + n_lines == 0)
		return NULL;
	char words[160];
	snprintf(words, sizeof(words),
		 "environment cut before storing: %zu env of a JSON report, %zu values of unlisted variables", n_json,
		 n_lines);
	char *copy = strdup(words);
	if (!copy)
		abort();
	return copy;
}
