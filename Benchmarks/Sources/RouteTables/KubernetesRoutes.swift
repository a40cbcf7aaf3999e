extension RouteSet {
    /// The 1,123 routes of the Kubernetes interface (kubernetes/kubernetes, Apache License 2.0).
    public static let kubernetes = RouteSet(
        name: "kubernetes",
        compact: """
            0g/.well-known/openid-configuration/ 0g/api/ 1g/v1/ 2g/componentstatuses 3g/: 2g/configmaps 2g/endpoints
            2g/events 2g/limitranges 2gp/namespaces 3adgu/: 4p/bindings 4dgp/configmaps 5adgu/: 4dgp/endpoints 5adgu/:
            4dgp/events 5adgu/: 4u/finalize 4dgp/limitranges 5adgu/: 4dgp/persistentvolumeclaims 5adgu/: 6agu/status
            4dgp/pods 5adgu/: 6gp/attach 6p/binding 6agu/ephemeralcontainers 6p/eviction 6gp/exec 6g/log 6gp/portforward
            6adghopu/proxy 7adghopu/: 6agu/resize 6agu/status 4dgp/podtemplates 5adgu/: 4dgp/replicationcontrollers 5adgu/:
            6agu/scale 6agu/status 4dgp/resourcequotas 5adgu/: 6agu/status 4dgp/secrets 5adgu/: 4dgp/serviceaccounts 5adgu/:
            6p/token 4dgp/services 5adgu/: 6adghopu/proxy 7adghopu/: 6agu/status 4agu/status 2dgp/nodes 3adgu/:
            4adghopu/proxy 5adghopu/: 4agu/status 2g/persistentvolumeclaims 2dgp/persistentvolumes 3adgu/: 4agu/status
            2g/pods 2g/podtemplates 2g/replicationcontrollers 2g/resourcequotas 2g/secrets 2g/serviceaccounts 2g/services
            2g/watch/configmaps 3g/endpoints 3g/events 3g/limitranges 3g/namespaces 4g/: 5g/configmaps 6g/: 5g/endpoints
            6g/: 5g/events 6g/: 5g/limitranges 6g/: 5g/persistentvolumeclaims 6g/: 5g/pods 6g/: 5g/podtemplates 6g/:
            5g/replicationcontrollers 6g/: 5g/resourcequotas 6g/: 5g/secrets 6g/: 5g/serviceaccounts 6g/: 5g/services 6g/:
            3g/nodes 4g/: 3g/persistentvolumeclaims 3g/persistentvolumes 4g/: 3g/pods 3g/podtemplates
            3g/replicationcontrollers 3g/resourcequotas 3g/secrets 3g/serviceaccounts 3g/services 0g/apis/
            1g/admissionregistration.k8s.io/ 2g/v1/ 3dgp/mutatingadmissionpolicies 4adgu/:
            3dgp/mutatingadmissionpolicybindings 4adgu/: 3dgp/mutatingwebhookconfigurations 4adgu/:
            3dgp/validatingadmissionpolicies 4adgu/: 5agu/status 3dgp/validatingadmissionpolicybindings 4adgu/:
            3dgp/validatingwebhookconfigurations 4adgu/: 3g/watch/mutatingadmissionpolicies 5g/:
            4g/mutatingadmissionpolicybindings 5g/: 4g/mutatingwebhookconfigurations 5g/: 4g/validatingadmissionpolicies
            5g/: 4g/validatingadmissionpolicybindings 5g/: 4g/validatingwebhookconfigurations 5g/: 2g/v1alpha1/
            3dgp/mutatingadmissionpolicies 4adgu/: 3dgp/mutatingadmissionpolicybindings 4adgu/:
            3g/watch/mutatingadmissionpolicies 5g/: 4g/mutatingadmissionpolicybindings 5g/: 2g/v1beta1/
            3dgp/mutatingadmissionpolicies 4adgu/: 3dgp/mutatingadmissionpolicybindings 4adgu/:
            3g/watch/mutatingadmissionpolicies 5g/: 4g/mutatingadmissionpolicybindings 5g/: 1g/apiextensions.k8s.io/ 2g/v1/
            3dgp/customresourcedefinitions 4adgu/: 5agu/status 3g/watch/customresourcedefinitions 5g/:
            1g/apiregistration.k8s.io/ 2g/v1/ 3dgp/apiservices 4adgu/: 5agu/status 3g/watch/apiservices 5g/: 1g/apps/ 2g/v1/
            3g/controllerrevisions 3g/daemonsets 3g/deployments 3dgp/namespaces/:/controllerrevisions 6adgu/:
            5dgp/daemonsets 6adgu/: 7agu/status 5dgp/deployments 6adgu/: 7agu/scale 7agu/status 5dgp/replicasets 6adgu/:
            7agu/scale 7agu/status 5dgp/statefulsets 6adgu/: 7agu/scale 7agu/status 3g/replicasets 3g/statefulsets
            3g/watch/controllerrevisions 4g/daemonsets 4g/deployments 4g/namespaces/:/controllerrevisions 7g/: 6g/daemonsets
            7g/: 6g/deployments 7g/: 6g/replicasets 7g/: 6g/statefulsets 7g/: 4g/replicasets 4g/statefulsets
            1g/authentication.k8s.io/ 2g/v1/ 3p/selfsubjectreviews 3p/tokenreviews 1g/authorization.k8s.io/ 2g/v1/
            3p/namespaces/:/localsubjectaccessreviews 3p/selfsubjectaccessreviews 3p/selfsubjectrulesreviews
            3p/subjectaccessreviews 1g/autoscaling/ 2g/v1/ 3g/horizontalpodautoscalers
            3dgp/namespaces/:/horizontalpodautoscalers 6adgu/: 7agu/status 3g/watch/horizontalpodautoscalers
            4g/namespaces/:/horizontalpodautoscalers 7g/: 2g/v2/ 3g/horizontalpodautoscalers
            3dgp/namespaces/:/horizontalpodautoscalers 6adgu/: 7agu/status 3g/watch/horizontalpodautoscalers
            4g/namespaces/:/horizontalpodautoscalers 7g/: 1g/batch/ 2g/v1/ 3g/cronjobs 3g/jobs 3dgp/namespaces/:/cronjobs
            6adgu/: 7agu/status 5dgp/jobs 6adgu/: 7agu/status 3g/watch/cronjobs 4g/jobs 4g/namespaces/:/cronjobs 7g/:
            6g/jobs 7g/: 1g/certificates.k8s.io/ 2g/v1/ 3dgp/certificatesigningrequests 4adgu/: 5agu/approval 5agu/status
            3g/watch/certificatesigningrequests 5g/: 2g/v1alpha1/ 3dgp/clustertrustbundles 4adgu/:
            3g/watch/clustertrustbundles 5g/: 2g/v1beta1/ 3dgp/clustertrustbundles 4adgu/:
            3dgp/namespaces/:/podcertificaterequests 6adgu/: 7agu/status 3g/podcertificaterequests
            3g/watch/clustertrustbundles 5g/: 4g/namespaces/:/podcertificaterequests 7g/: 4g/podcertificaterequests
            1g/coordination.k8s.io/ 2g/v1/ 3g/leases 3dgp/namespaces/:/leases 6adgu/: 3g/watch/leases 4g/namespaces/:/leases
            7g/: 2g/v1alpha2/ 3g/leasecandidates 3dgp/namespaces/:/leasecandidates 6adgu/: 3g/watch/leasecandidates
            4g/namespaces/:/leasecandidates 7g/: 2g/v1beta1/ 3g/leasecandidates 3dgp/namespaces/:/leasecandidates 6adgu/:
            3g/watch/leasecandidates 4g/namespaces/:/leasecandidates 7g/: 1g/discovery.k8s.io/ 2g/v1/ 3g/endpointslices
            3dgp/namespaces/:/endpointslices 6adgu/: 3g/watch/endpointslices 4g/namespaces/:/endpointslices 7g/:
            1g/events.k8s.io/ 2g/v1/ 3g/events 3dgp/namespaces/:/events 6adgu/: 3g/watch/events 4g/namespaces/:/events 7g/:
            1g/flowcontrol.apiserver.k8s.io/ 2g/v1/ 3dgp/flowschemas 4adgu/: 5agu/status 3dgp/prioritylevelconfigurations
            4adgu/: 5agu/status 3g/watch/flowschemas 5g/: 4g/prioritylevelconfigurations 5g/: 1g/internal.apiserver.k8s.io/
            2g/v1alpha1/ 3dgp/storageversions 4adgu/: 5agu/status 3g/watch/storageversions 5g/: 1g/networking.k8s.io/ 2g/v1/
            3dgp/ingressclasses 4adgu/: 3g/ingresses 3dgp/ipaddresses 4adgu/: 3dgp/namespaces/:/ingresses 6adgu/:
            7agu/status 5dgp/networkpolicies 6adgu/: 3g/networkpolicies 3dgp/servicecidrs 4adgu/: 5agu/status
            3g/watch/ingressclasses 5g/: 4g/ingresses 4g/ipaddresses 5g/: 4g/namespaces/:/ingresses 7g/: 6g/networkpolicies
            7g/: 4g/networkpolicies 4g/servicecidrs 5g/: 2g/v1beta1/ 3dgp/ipaddresses 4adgu/: 3dgp/servicecidrs 4adgu/:
            5agu/status 3g/watch/ipaddresses 5g/: 4g/servicecidrs 5g/: 1g/node.k8s.io/ 2g/v1/ 3dgp/runtimeclasses 4adgu/:
            3g/watch/runtimeclasses 5g/: 1g/policy/ 2g/v1/ 3dgp/namespaces/:/poddisruptionbudgets 6adgu/: 7agu/status
            3g/poddisruptionbudgets 3g/watch/namespaces/:/poddisruptionbudgets 7g/: 4g/poddisruptionbudgets
            1g/rbac.authorization.k8s.io/ 2g/v1/ 3dgp/clusterrolebindings 4adgu/: 3dgp/clusterroles 4adgu/:
            3dgp/namespaces/:/rolebindings 6adgu/: 5dgp/roles 6adgu/: 3g/rolebindings 3g/roles 3g/watch/clusterrolebindings
            5g/: 4g/clusterroles 5g/: 4g/namespaces/:/rolebindings 7g/: 6g/roles 7g/: 4g/rolebindings 4g/roles
            1g/resource.k8s.io/ 2g/v1/ 3dgp/deviceclasses 4adgu/: 3dgp/namespaces/:/resourceclaims 6adgu/: 7agu/status
            5dgp/resourceclaimtemplates 6adgu/: 3g/resourceclaims 3g/resourceclaimtemplates 3dgp/resourceslices 4adgu/:
            3g/watch/deviceclasses 5g/: 4g/namespaces/:/resourceclaims 7g/: 6g/resourceclaimtemplates 7g/: 4g/resourceclaims
            4g/resourceclaimtemplates 4g/resourceslices 5g/: 2g/v1alpha3/ 3dgp/devicetaintrules 4adgu/: 5agu/status
            3dgp/resourcepoolstatusrequests 4adgu/: 5agu/status 3g/watch/devicetaintrules 5g/: 4g/resourcepoolstatusrequests
            5g/: 2g/v1beta1/ 3dgp/deviceclasses 4adgu/: 3dgp/namespaces/:/resourceclaims 6adgu/: 7agu/status
            5dgp/resourceclaimtemplates 6adgu/: 3g/resourceclaims 3g/resourceclaimtemplates 3dgp/resourceslices 4adgu/:
            3g/watch/deviceclasses 5g/: 4g/namespaces/:/resourceclaims 7g/: 6g/resourceclaimtemplates 7g/: 4g/resourceclaims
            4g/resourceclaimtemplates 4g/resourceslices 5g/: 2g/v1beta2/ 3dgp/deviceclasses 4adgu/: 3dgp/devicetaintrules
            4adgu/: 5agu/status 3dgp/namespaces/:/resourceclaims 6adgu/: 7agu/status 5dgp/resourceclaimtemplates 6adgu/:
            3g/resourceclaims 3g/resourceclaimtemplates 3dgp/resourceslices 4adgu/: 3g/watch/deviceclasses 5g/:
            4g/devicetaintrules 5g/: 4g/namespaces/:/resourceclaims 7g/: 6g/resourceclaimtemplates 7g/: 4g/resourceclaims
            4g/resourceclaimtemplates 4g/resourceslices 5g/: 1g/scheduling.k8s.io/ 2g/v1/ 3dgp/priorityclasses 4adgu/:
            3g/watch/priorityclasses 5g/: 2g/v1alpha2/ 3dgp/namespaces/:/podgroups 6adgu/: 7agu/status 5dgp/workloads
            6adgu/: 3g/podgroups 3g/watch/namespaces/:/podgroups 7g/: 6g/workloads 7g/: 4g/podgroups 4g/workloads
            3g/workloads 1g/storage.k8s.io/ 2g/v1/ 3dgp/csidrivers 4adgu/: 3dgp/csinodes 4adgu/: 3g/csistoragecapacities
            3dgp/namespaces/:/csistoragecapacities 6adgu/: 3dgp/storageclasses 4adgu/: 3dgp/volumeattachments 4adgu/:
            5agu/status 3dgp/volumeattributesclasses 4adgu/: 3g/watch/csidrivers 5g/: 4g/csinodes 5g/:
            4g/csistoragecapacities 4g/namespaces/:/csistoragecapacities 7g/: 4g/storageclasses 5g/: 4g/volumeattachments
            5g/: 4g/volumeattributesclasses 5g/: 2g/v1beta1/ 3dgp/volumeattributesclasses 4adgu/:
            3g/watch/volumeattributesclasses 5g/: 1g/storagemigration.k8s.io/ 2g/v1beta1/ 3dgp/storageversionmigrations
            4adgu/: 5agu/status 3g/watch/storageversionmigrations 5g/: 0g/logs/ 1g/: 0g/openid/v1/jwks/ 0g/version/
            """
    )
}
